import AudioFiles
import CommandLineKit
import Engine

/// The options of `analyze`.
enum AnalyzeDeclaration {
  static let analyze = CommandDeclaration(
    name: "analyze",
    summary: "Look at files without changing them: volume, pitch and loudness over time, as tables and pictures",
    examples: [
      "audiopipe analyze in.wav --volume --pitch --loudness --csv out.csv --plot out.svg",
      "audiopipe analyze 'takes/*.wav' --loudness --json | jq '(.jobs // [.])[].summary'",
      "sox in.mp3 -t wav - | audiopipe analyze - --volume --interval 50 --csv -",
    ],
    notes: [
      "IN is a file, '-' for stdin, a glob, or @LIST, a text file with one path a line. Without --csv and --json a line "
        + "for each file goes to stdout.",
      "A table has a row for each interval, that of the pitch every 10 ms. time_s is where the interval of a volume "
        + "begins, and where that of a loudness ends, which reaches back 400 ms and 3 s.",
      "With several files the name of each is set before the extension of tables and pictures, with several kinds of "
        + "table the kind.",
    ],
    operands: CommandDeclaration.Operands(kind: .files, placeholder: "IN...", minimum: 1, maximum: .max),
    options: AnalysisKind.allCases.map { OptionDeclaration($0.rawValue, group: "Analysis", help: $0.help) } + [
      OptionDeclaration(
        "interval", .integer(10...3_600_000), placeholder: "MS", group: "Analysis", default: "200",
        help: "Milliseconds of one row, a multiple of 10"),
      RawFormat.declaration,
      OptionDeclaration(
        "csv", .file, group: "Results",
        help: "Write a table; with several kinds one each, as OUT.pitch.csv; '-' is stdout"),
    ] + PictureOptions.declarations(group: "Results") + [
      OptionDeclaration("overwrite", group: "Results", help: "Replace tables and pictures that exist"),
      OptionDeclaration(
        "progress", .choice(ProgressMode.allCases.map(\.rawValue)), group: "Results", default: "auto",
        help: "A bar on a terminal, a line every 10 s elsewhere"),
      JobCount.option(group: "Running"),
    ] + CommonOptions.declarations)
}
