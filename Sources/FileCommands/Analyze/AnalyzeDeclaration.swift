import AudioFiles
package import CommandLineKit
import Engine
import SoundOptions

/// The options of `analyze`.
package enum AnalyzeDeclaration {
  package static let analyze = CommandDeclaration(
    name: "analyze",
    summary: "Measure files without changing them: volume, pitch and loudness over time, as tables and pictures",
    examples: [
      "audiopipe analyze in.wav --volume --pitch --loudness --csv out.csv --plot out.svg",
      "audiopipe analyze 'takes/*.wav' --loudness --json | jq '(.jobs // [.])[].summary'",
      "sox in.mp3 -t wav - | audiopipe analyze - --volume --interval 50 --csv -",
    ],
    notes: [
      "IN is a file, '-' for stdin, a glob, or @LIST, a text file with one path per line. Without --csv and --json, "
        + "stdout gets one line per file. Without a kind of analysis, all kinds are measured.",
      "A table has one row per interval, a pitch table one row every 10 ms. For volume, time_s is the start of the interval. "
        + "For loudness, it is the end of the windows of 400 ms and 3 s.",
      "With several files, the names of tables and pictures have the file's name before the extension. With several kinds of "
        + "table, the kind is there too.",
    ],
    operands: CommandDeclaration.Operands(kind: .files, placeholder: "IN...", minimum: 1, maximum: .max),
    options: AnalysisKind.allCases.map { OptionDeclaration($0.rawValue, group: "Analysis", help: $0.help) } + [
      OptionDeclaration(
        "interval", .integer(10...3_600_000), placeholder: "MS", group: "Analysis", default: "200",
        help: "Duration of one row in milliseconds, a multiple of 10"),
      RawFormat.declaration,
      OptionDeclaration(
        "csv", .file, group: "Results",
        help: "Write a table, one file per kind if there are several, such as OUT.pitch.csv; '-' is stdout"),
    ] + PictureOptions.declarations(group: "Results") + [
      OptionDeclaration("overwrite", group: "Results", help: "Replace existing tables and pictures"),
      OptionDeclaration(
        "progress", .choice(ProgressMode.allCases.map(\.rawValue)), group: "Results", default: "auto",
        help: "Form of progress; auto is a bar on a terminal, otherwise a line every 10 s"),
      JobCount.option(group: "Running"),
    ] + CommonOptions.declarations)
}
