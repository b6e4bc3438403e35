import ChannelCommands
package import CommandLineKit
import DeviceCommands
import FileCommands

/// Subcommands: their names, and the code that runs them.
package enum CommandTable {
  package struct Entry: Sendable {
    package let declaration: CommandDeclaration
    package let run: @Sendable (ParsedArguments, Console) throws -> ExitCode
  }

  /// Options before a subcommand.
  package static let program = CommandDeclaration(
    name: "",
    summary: "Move raw audio in frames of 10 ms through a graph, from files and streams to files and streams",
    examples: [],
    notes: ["'audiopipe SUBCOMMAND --help' shows the options of a subcommand."],
    options: [
      OptionDeclaration("json", group: CommonOptions.group, help: "With --version, write one JSON object"),
      CommonOptions.version, CommonOptions.help,
    ])

  package static let commands = [
    Entry(declaration: ProcessDeclaration.process, run: ProcessCommand.run),
    Entry(declaration: ProcessDeclaration.graph, run: GraphCommand.run),
    Entry(declaration: AnalyzeDeclaration.analyze, run: AnalyzeCommand.run),
    Entry(declaration: BatchDeclaration.batch, run: BatchCommand.run),
    Entry(declaration: SimulateDeclaration.simulate, run: SimulateCommand.run),
    Entry(declaration: RecordCommand.declaration, run: RecordCommand.run),
    Entry(declaration: PlayCommand.declaration, run: PlayCommand.run),
    Entry(declaration: DevicesCommand.declaration, run: DevicesCommand.run),
    Entry(declaration: RTPCommand.declaration, run: RTPCommand.run),
    Entry(declaration: ImpairCommand.declaration, run: ImpairCommand.run),
    Entry(declaration: RelayCommand.declaration, run: RelayCommand.run),
    Entry(declaration: JoinCommand.declaration, run: JoinCommand.run),
    Entry(declaration: RecordChannelCommand.declaration, run: RecordChannelCommand.run),
    Entry(declaration: CallCommand.declaration, run: CallCommand.run),
    Entry(declaration: LoadCommand.declaration, run: LoadCommand.run),
    Entry(declaration: TokenCommand.declaration, run: TokenCommand.run),
    Entry(declaration: DoctorCommand.declaration, run: DoctorCommand.run),
    Entry(declaration: BenchCommand.declaration, run: BenchCommand.run),
    Entry(declaration: CompletionCommand.declaration, run: CompletionCommand.run),
    Entry(declaration: ManualCommand.declaration, run: ManualCommand.run),
  ]
}
