//! A command line as lessons are found in it: which of its commands have worked, and whether it only looks around.

/// What a command line consists of. That of an action that is no command line is empty.
#[derive(Debug, Default)]
pub(super) struct Line {
    /// Its commands, if there are several, each with whether the success of the line shows that it worked.
    commands: Vec<(String, bool)>,
    /// Whether it would have ended well whatever happened: `make || true`.
    pub(super) is_success_bought: bool,
    /// Whether it is a script within a shell that can't be read: what it does, nobody can say.
    pub(super) is_unreadable: bool,
    /// Whether it only says what it would do.
    pub(super) is_rehearsal: bool,
    /// Whether it changes nothing that another command would notice.
    pub(super) is_looking_around: bool,
}

impl Line {
    pub(super) fn new(action: &str) -> Self {
        let line = twiceshy_shell::parse(action);
        let commands = line.commands.iter().enumerate();
        let commands: Vec<_> = commands
            .map(|(at, command)| (command.text.clone(), twiceshy_shell::is_proven(&line, at)))
            .collect();
        // A script that can be read is there without its shell.
        let is_shell = |command: &twiceshy_shell::Command| {
            let is_one = ["sh", "bash", "dash", "zsh"].contains(&command.program());
            is_one && command.words.iter().any(|word| word == "-c")
        };
        Self {
            is_unreadable: line.commands.iter().any(is_shell),
            is_success_bought: twiceshy_shell::is_success_bought(&line),
            is_rehearsal: line.commands.iter().any(twiceshy_shell::is_rehearsal),
            is_looking_around: line.commands.iter().all(twiceshy_shell::is_looking_around),
            commands: if commands.len() > 1 {
                commands
            } else {
                Vec::new()
            },
        }
    }

    /// The commands of several that have worked, if the line has.
    pub(super) fn proven(&self) -> impl Iterator<Item = &str> {
        let proven = self.commands.iter().filter(|(_, is_proven)| *is_proven);
        proven.map(|(command, _)| command.as_str())
    }

    /// Whether it does something else before a command.
    pub(super) fn has_before(&self, command: &str) -> bool {
        let place = self.commands.iter().position(|(text, _)| text == command);
        place.is_some_and(|place| place > 0)
    }
}
