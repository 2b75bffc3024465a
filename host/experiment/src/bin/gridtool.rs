//! gridtool as a program, on real files.

fn main() -> std::process::ExitCode {
    twiceshy_experiment::Tool::Gridtool.main()
}
