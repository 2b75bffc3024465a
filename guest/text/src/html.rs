//! HTML: a page that refers to nothing outside of itself, and text that is only text in it.
//!
//! `html-escape` is not used: it lets control characters through, which a page of reports must not show.

use crate::control;

/// Text from outside on one line, in which nothing is markup.
pub fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in control::line(text).chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            character => safe.push(character),
        }
    }
    safe
}

/// A whole page: no script, no font, no address. The body is markup.
pub fn page(title: &str, style: &str, body: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{}</title>\n<style>\n{style}</style>\n</head>\n<body>\n{body}</body>\n</html>\n",
        escaped(title)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_from_outside_is_never_markup() {
        assert_eq!(
            escaped("<script>alert('\"&')</script>\n\u{1b}[1m"),
            "&lt;script&gt;alert(&#39;&quot;&amp;&#39;)&lt;/script&gt; [1m"
        );
        assert!(page("<a>", "", "<p>").contains("<title>&lt;a&gt;</title>"));
    }
}
