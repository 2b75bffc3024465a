//! fluxtool as a program, on real files.

fn main() -> std::process::ExitCode {
    twiceshy_experiment::Tool::Fluxtool.main()
}
