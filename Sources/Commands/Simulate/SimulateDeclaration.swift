import AudioFiles
import CallSimulation
import ChannelCommands
import CommandLineKit
import Engine
import FileCommands
import SoundOptions

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
    OptionDeclaration("no-nack", group: group, help: "Never request lost packets (NACK)")
  }

  static let simulate = CommandDeclaration(
    name: "simulate",
    summary: "Simulate a call with files as its users, over a network with loss, delay and jitter from a seed",
    examples: [
      "audiopipe simulate --user 1=alice.wav --user 2=bob.wav --loss 10% --delay 50ms --jitter 30ms --each-out out",
      "audiopipe simulate --user 1=a.wav --user 2=b.wav --loss 5%:burst=3 --seed 7 --report sim.json --mixed-out mixed.wav",
      "audiopipe simulate --user 1=a.wav --user 2=b.wav --script scenario.json --each-out out --json-lines",
    ],
    notes: [
      "Each user hears all others, each over a separate link. Time is virtual: the same arguments give the same bytes.",
      "--each-out writes LISTENER_from_UID.wav, the sound of one user at a listener, and LISTENER.wav, the mix of them "
        + "all.",
      "--mixed-out is the sound at an additional, silent listener with separate links.",
      "--script is a file such as {\"schema\": 1, \"events\": [{\"time_s\": 2, \"name\": \"mute\", \"user\": 1}]}. Names are "
        + ScriptActionName.allCases.map(\.rawValue).joined(separator: ", ")
        + "; Documentation/Simulation.md has their keys. The report has the events under 'events'.",
      "With --relay, users join a channel of a relay as 'join' does; their files start once they have joined. Events 'join' and "
        + "'leave' of a script may name other channels.",
      "'drift' is the excess speed of a user's sound card. The codec 'null' sends packets without sound, for runs about packets "
        + "alone.",
    ],
    options: [
      OptionDeclaration(
        "user", .keyed(userSyntax), isRepeatable: true, group: "Users",
        help: "Additional user: number, and file with the user's voice"),
      OptionDeclaration(
        "codec", .keyed(codecSyntax), group: "Users",
        help:
          "Codec of the voices, independent of listeners' reports; packets of 20 ms with fec, otherwise of 10 ms; unless set, "
          + "opus:fec at first, then adapted to reports of loss"),
      OptionDeclaration(
        "relay", group: "Users",
        help:
          "Connect the users through a relay, with signalling and encryption; loss and delay are those of each user's "
          + "uplink and downlink"),
      OptionDeclaration(
        "max-speakers", .integer(0...65_535), group: "Users", default: "0",
        help: "Users that a listener hears at the same time with --relay: the loudest ones; 0 for all"),
      noNack(group: "Users"),
      OptionDeclaration(
        "duration", .number(0.01...2_592_000, unit: "s"), group: "Users", default: "the longest file + 1 s",
        help: "Duration of the call in seconds"),
      OptionDeclaration(
        "script", .file, group: "Users",
        help: "JSON file with the events of the call: users mute, join, leave or play sounds; the network changes"),
    ] + NetworkOptions.declarations
      + PictureOptions.declarations(
        group: "Output", shown: "delay, its target, concealment and loss of each direction, at most 12, over time") + [
        OptionDeclaration("mixed-out", .file, group: "Output", help: "WAV file of the sound at a silent listener"),
        OptionDeclaration(
          "each-out", .directory, group: "Output", help: "Folder for WAV files of the sound at every user"),
        OptionDeclaration(
          "capture", .file, group: "Output",
          help: "Write the datagrams of a call with --relay as a packet capture (pcap)"),
        OptionDeclaration(
          "sample-format", .choice(SampleFormat.allCases.map(\.rawValue)), group: "Output", default: "s16",
          help: "Sample format of the WAV files"),
        OptionDeclaration(
          "report", .file, group: "Output", help: "Write delay, loss, concealment and MOS per user and second as JSON"),
        OptionDeclaration(
          "json-lines", group: "Output", help: "Write events to stdout as they happen, one JSON object per line"),
        OptionDeclaration(
          "stats", group: "Output",
          help:
            "Add each user's statistics and network quality to the events of --report, --json or --json-lines, every 2 s"
        ),
        OptionDeclaration("overwrite", group: "Output", help: "Replace existing files"),
        OptionDeclaration(
          "progress", .choice(ProgressMode.allCases.map(\.rawValue)), group: "Output", default: "auto",
          help: "Form of progress; auto is a bar on a terminal, otherwise a line every 10 s"),
      ] + CommonOptions.declarations)
}
