import AudioFiles
import AudioGraph
import CommandLineKit
import Engine
import Platform
import SRTP
import SoundOptions

/// `audiopipe rtp send|receive`: streams to and from other programs.
enum RTPCommand {
  private static let verbs = ["send", "receive"]
  private static let receivedPositions = ["beforeMixing", "playback"]

  static let declaration = CommandDeclaration(
    name: "rtp",
    summary: "Send a file as RTP or SRTP, or receive a stream into a file",
    examples: [
      "audiopipe rtp send talk.wav --url rtp://127.0.0.1:5004 --sdp stream.sdp",
      "audiopipe rtp receive --url rtp://:5004 -o - --raw s16 --rate 16000 | recogniser",
      "audiopipe rtp send talk.wav --url srtp://192.0.2.7:5004 --key-file key.txt",
    ],
    notes: [
      "send takes a file, or '-' for stdin: a WAV, such as the output of a speech synthesizer, or with --raw headerless "
        + "samples. A pipe that stalls is a pause: the sound after it is sent at normal speed.",
      "The stream is Opus (RFC 7587), or PCMU, PCMA or L16 (RFC 3551) for telephone systems and studios; 'rate' and 'channels' "
        + "are keys of l16. PCMU and PCMA have one channel. With --sdp, send writes a session description for other programs, and receive reads one.",
      "A key file holds key and salt as base64 or hexadecimal digits; '-' is stdin. The description of an encrypted stream "
        + "also holds the key: only its owner can read the file.",
      "The receiver's reports and requests are encrypted with the same key, or with the key of --answer-key-file. Both sides "
        + "give the same files.",
      "rtp:// has no protection. A program that reaches the port and knows or guesses the stream's source and numbers can insert "
        + "audible packets, from any address. On a network that is not your own, use srtp://, which refuses packets made "
        + "without the key.",
      "receive ends after the sender's BYE, after --timeout without packets, after --duration, or with ^C.",
    ],
    operands: CommandDeclaration.Operands(
      kind: .verb(verbs, beforeFile: ["send"]), placeholder: "send FILE | receive", minimum: 1, maximum: 2),
    options: [
      OptionDeclaration(
        "url", .text, placeholder: "rtp://HOST:PORT", group: "Stream",
        help: "Address to send to, or to listen at; srtp:// for encryption"),
      OptionDeclaration(
        "sdp", .file, group: "Stream", help: "Session description of the stream, written by send, read by receive"),
      OptionDeclaration("key-file", .file, group: "Stream", help: "File with the key and salt of srtp://"),
      OptionDeclaration(
        "answer-key-file", .file, group: "Stream",
        help: "File with a separate key and salt for the receiver's reports and requests"),
      OptionDeclaration(
        "suite", .choice(SRTPSuite.allCases.map(\.name)), group: "Stream",
        default: "AEAD_AES_128_GCM", help: "Cipher of srtp://"),
      OptionDeclaration(
        "payload-type", .integer(0...127), group: "Stream",
        help:
          "RTP payload type; unless set, the static one of the codec, or else 111 to send, any of 35 to 127 to receive; 0, 8, 10 "
          + "and 11 also choose the codec"),
      OptionDeclaration(
        "rtcp-mux", group: "Stream",
        help: "Use the stream's own port for reports (RFC 5761), not the next port; a description states this too"),
      OptionDeclaration(
        "codec", .keyed(RTPCodecOption.syntax), group: "Stream", default: "opus",
        help:
          "Codec, and settings of Opus at first; unless --fixed, the receiver's reports then choose FEC, with packets of 20 ms, and a bitrate "
          + "from 24 kbit/s up to this one"),
      OptionDeclaration(
        "ssrc", .integer(0...Int(UInt32.max)), group: "send", default: "random",
        help: "SSRC of the stream, for receivers that need it in advance, such as GStreamer's srtpdec; with srtp://, a "
          + "key is then good for one run"),
      OptionDeclaration(
        "raw", .text, placeholder: "FORMAT[:RATE:CHANNELS]", group: "Stream",
        help:
          "send: format of headerless samples on stdin, such as s16:48000:2 or alaw:8000:1; receive: samples without "
          + "a header on stdout, s16 or f32"),
      OptionDeclaration("fixed", group: "send", help: "Keep --codec in spite of the receiver's reports"),
      OptionDeclaration(
        "output", short: "o", .file, group: "receive",
        help: "Output file, in the format of its extension; '-' for a WAV on stdout, or with --raw samples alone"),
      OptionDeclaration(
        "each-out", .file, placeholder: "FOLDER", group: "receive",
        help: "Folder with a file for each source of the port, user.1.wav and so on; --output then has the sound of all"
      ),
      OptionDeclaration("channels", .integer(1...2), group: "receive", default: "1", help: "Channels of the outputs"),
      OptionDeclaration(
        "rate", .integer(AudioFormat.sampleRates), group: "receive", default: "48000",
        help: "Sample rate of the outputs, in Hz"),
      OptionDeclaration(
        "observe", .choices(receivedPositions), group: "receive", default: "beforeMixing",
        help: "Positions of frames for a program: \(receivedPositions.joined(separator: ", "))"),
      OptionDeclaration(
        "observe-cmd", .text, placeholder: "COMMAND", group: "receive",
        help:
          "Program that reads those frames as raw PCM, 16 bits, interleaved; one process for each source, identified by "
          + "$AUDIOPIPE_POSITION, _UID, _RATE and _CHANNELS"),
      OptionDeclaration(
        "duration", .number(0.1...2_592_000, unit: "s"), group: "receive", help: "End after this many seconds"),
      OptionDeclaration(
        "timeout", .number(0.1...86_400, unit: "s"), group: "receive", default: "15",
        help: "End after this many seconds without a packet"),
      SimulateDeclaration.noNack(group: "receive"),
      OptionDeclaration(
        "json-lines", group: "Output", help: "Write events to stdout as they happen, one JSON object per line"),
      OptionDeclaration(
        "stats", group: "Output", help: "Add statistics and network quality to the events, every 2 s"),
      OptionDeclaration("overwrite", group: "Output", help: "Replace existing files"),
    ] + CommonOptions.declarations)

  static func run(_ parsed: ParsedArguments, _ console: Console) throws -> ExitCode {
    let verb = parsed.operands[0]
    try Argument.check(verb)
    guard verbs.contains(verb) else {
      let ending = Suggestion.ending(for: verb, among: verbs, otherwise: "; it is 'send' or 'receive'")
      throw CommandFailure.usage("rtp cannot '\(verb)'\(ending)")
    }
    let others =
      verb == "send"
      ? ["output", "each-out", "channels", "rate", "observe", "observe-cmd", "duration", "timeout", "no-nack"]
      : ["fixed", "ssrc"]
    for name in others where parsed.has(name) {
      throw CommandFailure.usage("--\(name) belongs to 'rtp \(verb == "send" ? "receive" : "send")'; leave it out")
    }
    let options = try RTPOptions(parsed)
    try checkPaths(options)
    switch (options.input, parsed.operands.count) {
    case (let input?, 2): return try RTPSending(options: options, input: input, console: console).run()
    case (nil, 1) where verb == "receive" && options.output.eachFolder != nil:
      return try RTPCollecting(options: options, console: console).run()
    case (nil, 1) where verb == "receive": return try RTPReceiving(options: options, console: console).run()
    case _ where verb == "send":
      throw CommandFailure.usage("rtp send needs the file to send, such as rtp send talk.wav")
    default: throw CommandFailure.usage("rtp receive takes no file but that of --output")
    }
  }

  /// Checks that no input would be overwritten.
  private static func checkPaths(_ options: RTPOptions) throws(CommandFailure) {
    var claims = OutputConflicts(advice: "give each its own name")
    if let input = options.input { claims.reads(input) }
    for path in [options.keyPath, options.answerKeyPath].compactMap({ $0 }) where path != "-" {
      claims.reads(path, as: "key")
    }
    if let path = options.sdpPath {
      if options.input != nil {
        try claims.writes(path, as: "description", of: "rtp")
      } else {
        claims.reads(path, as: "description")
      }
    }
    if let path = options.output.filePath { try claims.writes(path, as: "output", of: "rtp") }
  }
}
