//! Command lines: whatever a line is, its commands can be asked about, and their words can be written as a line again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use twiceshy_shell as shell;

fuzz_target!(|text: &str| {
    let (line, output) = text.split_once('\0').unwrap_or((text, ""));
    let parsed = shell::parse(line);
    let _ = shell::unwrapped(line);
    let _ = shell::one_line(line);
    let _ = shell::is_success_bought(&parsed);
    for exit in [None, Some(0), Some(1), Some(127)] {
        if let Some(command) = shell::failed_command(&parsed, output, exit) {
            assert!(command < parsed.commands.len());
        }
    }
    for (number, command) in parsed.commands.iter().enumerate() {
        let _ = (command.program(), command.verb(), command.is_elevated());
        let _ = (shell::is_answer(command, 1), shell::is_looking_around(command));
        let _ = shell::is_proven(&parsed, number);
        let _ = shell::join(&command.words);
    }
});
