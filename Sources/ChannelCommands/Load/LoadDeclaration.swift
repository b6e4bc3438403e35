import CommandLineKit

/// Command line of `load`.
enum LoadDeclaration {
  static let load = CommandDeclaration(
    name: "load",
    summary: "Measure how much a relay carries: join users, send packets, count losses and delays",
    examples: [
      "audiopipe load --url ws://127.0.0.1:7000 --app-id demo --app-secret-file secret.txt --publishers 10 --listeners 100 "
        + "--duration 60s",
      "audiopipe load --url ws://127.0.0.1:7000 --app-id demo --app-secret-file secret.txt --publishers 10 --listeners 400 "
        + "--processes auto --in-step --relay-metrics http://127.0.0.1:9090/metrics --max-loss 0.1 --max-delay 20 --json",
      "audiopipe load --virtual --publishers 5 --listeners 20 --loss 2% --delay 30ms --jitter 10ms --seed 3",
    ],
    notes: [
      "Each user is a client of the relay's protocol. Publishers send packets of Opus's size without sound and hear nobody; "
        + "listeners receive every publisher of their channel. Lost packets are not requested again.",
      "Packets count after the ramp, for --duration. The expected number is the packets sent, times the listeners of the "
        + "channel that had joined. A packet that takes longer than a second behind the end counts as lost.",
      "A delay runs from the encryption of a packet here to its arrival at this machine, which the kernel notes. It includes "
        + "both networks and the relay, not the time until this program takes the packet.",
      "--processes serves the users of each channel by several processes of this machine. They count at the same moments, "
        + "and their figures are added exactly. --relay-metrics and --relay-pid measure the relay alone.",
      "Exit code 1: --max-loss or --max-delay was exceeded, or some users failed. ^C ends the measurement and shows it so far. "
        + "A relay accepts 200 connections from an address at once and 50 a second then: larger loads need a lower --ramp.",
    ],
    options: [
      OptionDeclaration(
        "virtual", group: "Relay",
        help:
          "Use a relay and a network of this program in virtual time, with the conditions of each user's uplink and downlink; "
          + "the same arguments give the same result"),
      OptionDeclaration(
        "url", .text, placeholder: "ws://HOST:PORT", group: "Relay", help: "WebSocket of the relay; wss:// for TLS"),
      OptionDeclaration("app-id", .text, placeholder: "ID", group: "Relay", help: "App of the relay"),
      AppSecret.declaration(group: "Relay"),
      OptionDeclaration(
        "ca-file", .file, group: "Relay", help: "Root certificates for wss://, in PEM, not the system's"),
      OptionDeclaration(
        "fingerprint", .text, placeholder: "DIGITS", group: "Relay",
        help: "SHA-256 fingerprint of the relay's certificate, which then needs no root"),
      OptionDeclaration(
        "relay-pid", .integer(1...Int(Int32.max)), placeholder: "PID", group: "Relay",
        help: "Process of a relay on this machine, to measure its processor time"),
      OptionDeclaration(
        "relay-metrics", .text, placeholder: "URL", group: "Relay",
        help: "Metrics of the relay, http://HOST:PORT/metrics, to measure its processor time for each packet it sends"),
      OptionDeclaration(
        "publishers", .integer(0...100_000), group: "Users", default: "1", help: "Users that send"),
      OptionDeclaration(
        "listeners", .integer(0...100_000), group: "Users", default: "10", help: "Users that receive"),
      OptionDeclaration(
        "ramp", .number(0.1...10_000, unit: "/s"), placeholder: "N/s", group: "Users", default: "20/s",
        help: "Users that start to join in a second"),
      OptionDeclaration(
        "channel", .text, placeholder: "NAME", group: "Users", default: "load",
        help: "Channel; with --channels, NAME-1, NAME-2 and so on"),
      OptionDeclaration(
        "channels", .integer(1...10_000), group: "Users", default: "1", help: "Channels over which users are spread"),
      OptionDeclaration(
        "processes", .text, placeholder: "N|auto", group: "Users", default: "1",
        help: "Processes that share the users of each channel; auto is one for each core"),
      OptionDeclaration(
        "speakers", .integer(0...65_535), group: "Packets", default: "0",
        help:
          "Publishers of a channel that speak at a time, in turns of 4 s; the others send noise, which does not count"),
      OptionDeclaration(
        "hear", .integer(0...65_535), group: "Packets", default: "0",
        help: "Publishers that each listener hears, as it mutes the others, which do not count; 0 for all"),
      OptionDeclaration(
        "in-step", group: "Packets",
        help: "Let all publishers send at the same moment, not spread over a packet's length"),
      OptionDeclaration(
        "frame", .choice(["10", "20"]), placeholder: "10|20", group: "Packets", default: "20",
        help: "Sound of a packet, in ms"),
      OptionDeclaration(
        "bitrate", .integer(20...510), placeholder: "KBIT/S", group: "Packets", default: "32",
        help: "Rate of the sound of a publisher, in kbit/s"),
      OptionDeclaration(
        "duration", .number(0.1...2_592_000, unit: "s"), group: "Measurement", default: "10s",
        help: "Time that counts, after the ramp"),
      OptionDeclaration(
        "max-loss", .number(0...100, unit: "%"), group: "Measurement",
        help: "Most lost packets in percent; more end with exit code 1"),
      OptionDeclaration(
        "max-delay", .number(0...60_000, unit: "ms"), group: "Measurement",
        help: "Longest delay of 99 % of the packets; a longer one ends with exit code 1"),
    ] + NetworkOptions.declarations + [
      OptionDeclaration("json-lines", group: "Output", help: "Write an object each second, then the result"),
      OptionDeclaration(
        "progress", .choice(ProgressMode.allCases.map(\.rawValue)), group: "Output", default: "auto",
        help: "Form of progress; auto is a bar on a terminal, otherwise a line every 10 s"),
    ] + CommonOptions.declarations)
}
