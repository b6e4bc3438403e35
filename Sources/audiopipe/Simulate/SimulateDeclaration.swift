import AudioFiles
import CallSimulation
import CommandLineKit
import Engine

/// The options of `simulate`.
enum SimulateDeclaration {
  static let userSyntax = KeyValueSyntax(
    head: .file, headSyntax: "UID=FILE",
    keys: [
      KeyValueSyntax.Key(name: "at", value: .number(0...86_400, unit: "s")),
      KeyValueSyntax.Key(name: "drift", value: .number(-1_000...1_000, unit: "ppm")),
    ])

  static let opusSyntax = KeyValueSyntax(
    head: .choice(["opus"]), keys: CodecOptions.syntax.keys + [KeyValueSyntax.Key(name: "dtx", value: .none)])

  static let codecSyntax = KeyValueSyntax(
    head: .choice(["opus", "null"]), keys: CodecOptions.syntax.keys + [KeyValueSyntax.Key(name: "dtx", value: .none)])

  /// Returns the option `--no-nack`, with the same text in every command that receives.
  static func noNack(group: String) -> OptionDeclaration {
    OptionDeclaration("no-nack", group: group, help: "Never ask for lost packets again")
  }

  static let simulate = CommandDeclaration(
    name: "simulate",
    summary: "Let files be the users of one channel, over a network that loses, delays and jitters from a seed",
    examples: [
      "audiopipe simulate --user 1=alice.wav --user 2=bob.wav --loss 10% --delay 50ms --jitter 30ms --each-out out",
      "audiopipe simulate --user 1=a.wav --user 2=b.wav --loss 5%:burst=3 --seed 7 --report sim.json --mixed-out mixed.wav",
      "audiopipe simulate --user 1=a.wav --user 2=b.wav --script scenario.json --each-out out --json-lines",
    ],
    notes: [
      "Each user hears all others, each over a link of its own. Time is virtual: the same arguments give the same bytes.",
      "--each-out writes LISTENER_from_UID.wav, what a listener has of one user, and LISTENER.wav, all of them mixed.",
      "--mixed-out is what a listener hears who says nothing, over links of his own.",
      "--script is a file such as {\"schema\": 1, \"events\": [{\"time_s\": 2, \"name\": \"mute\", \"user\": 1}]}. Names are "
        + ScriptActionName.allCases.map(\.rawValue).joined(separator: ", ")
        + "; Documentation/Simulation.md has their keys. What happens is under 'events' in the report.",
      "'drift' is by how much a user's sound card runs fast. The codec 'null' sends no sound, for runs about packets alone.",
    ],
    options: [
      OptionDeclaration(
        "user", .keyed(userSyntax), isRepeatable: true, group: "Users",
        help: "One more user, its number and the file it says"),
      OptionDeclaration(
        "codec", .keyed(codecSyntax), group: "Users",
        help:
          "How voices are sent, whatever listeners report; packets of 20 ms with fec, else of 10. Without it opus:fec at "
          + "first, and then what reports of loss ask for"),
      noNack(group: "Users"),
      OptionDeclaration(
        "duration", .number(0.01...2_592_000, unit: "s"), group: "Users", default: "the longest file and a second",
        help: "How long the call lasts"),
      OptionDeclaration(
        "script", .file, group: "Users",
        help: "What happens in the call: who is muted, comes, goes or plays something, what the network does; JSON"),
    ] + NetworkOptions.declarations
      + PictureOptions.declarations(
        group: "Output", shown: "delay, its target, concealment and loss of each direction over time, 12 at most") + [
        OptionDeclaration("mixed-out", .file, group: "Output", help: "A WAV of what a silent listener hears"),
        OptionDeclaration("each-out", .directory, group: "Output", help: "A folder of WAVs of what every user hears"),
        OptionDeclaration(
          "sample-format", .choice(SampleFormat.allCases.map(\.rawValue)), group: "Output", default: "s16",
          help: "How their samples are stored"),
        OptionDeclaration(
          "report", .file, group: "Output", help: "Write delay, loss, concealment and MOS by user and second, as JSON"),
        OptionDeclaration(
          "json-lines", group: "Output", help: "Write events to stdout as they happen, one JSON object a line"),
        OptionDeclaration(
          "stats", group: "Output",
          help:
            "Have statistics and network quality among the events of --report, --json or --json-lines, every 2 s of each user"
        ),
        OptionDeclaration("overwrite", group: "Output", help: "Replace files that exist"),
        OptionDeclaration(
          "progress", .choice(ProgressMode.allCases.map(\.rawValue)), group: "Output", default: "auto",
          help: "A bar on a terminal, a line every 10 s elsewhere"),
      ] + CommonOptions.declarations)
}
