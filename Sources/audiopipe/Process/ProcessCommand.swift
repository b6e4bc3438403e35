/// `audiopipe process`: files through the whole pipeline, offline.
enum ProcessCommand {
  static func run(_ parsed: ParsedArguments, _ console: Console) throws -> ExitCode {
    let options = try ProcessOptions(parsed)
    if options.isDryRun { return try DryRun(options: options, console: console).run() }
    return try JobRunner(options, console).run()
  }
}
