import AudioFiles
import CommandLineKit
import Engine
import OfflineProcessing
import SoundOptions

/// Arguments of `process`, typed and checked.
struct ProcessOptions: Hashable, Sendable {
  /// Gains in dB that are allowed: from nothing audible to a thousandfold.
  static let gainRange = -120.0...60.0

  // Input and output.
  let common: CommonOptions
  /// One job for each input; a single one if there are only speakers.
  let jobs: [FileJob]
  let jobCount: Int
  /// Folder for the outputs of several inputs; made if it does not exist.
  let outputFolder: String?
  let speakers: [SpeakerFile]
  /// Path of the file that gives the listener a voice.
  let listenerPath: String?
  /// Format of stdin if it has no header.
  let rawInput: RawFormat?
  /// Sample rate of the output, in Hz; nil if the inputs decide.
  let sampleRate: Int?
  let channelCount: Int?
  /// Sample format of the output; nil if the input decides.
  let sampleFormat: SampleFormat?
  let dither: FileProcessing.Dither
  /// Loudness and true peak of the output; nil to leave its level as it is.
  let loudnessTarget: LoudnessTarget?
  let seed: Int
  let overwrites: Bool
  let keepsTags: Bool
  let isDryRun: Bool
  /// Whether the clock paces the job.
  let isPaced: Bool

  // Sound.
  let gainDecibels: Double
  /// Panning: -1 is left, 1 is right; nil without panning.
  let pan: Double?
  /// Recording volume: 100 is unchanged.
  let recordVolume: Int
  let playbackVolume: Int
  let voicePitch: VoicePitch?
  let isVoiceOnly: Bool
  let music: MusicFile?
  let effects: [EffectFile]
  let codec: CodecOptions?
  let frameProgram: FrameProgram?

  // Results.
  let picture: PictureOptions?
  let resultFormat: ResultFormat
  let progress: ProgressMode

  /// Expands the inputs, which looks at the disk, and checks the combination of options.
  ///
  /// - Throws: exit code 64 for a wrong command line; 65 and 66 as `InputExpansion` does.
  init(_ parsed: ParsedArguments) throws(CommandFailure) {
    self = try Self(
      parsed, format: parsed.text("format").flatMap(AudioContainer.init(rawValue:)), writesAudio: true)
  }

  /// Expands and checks the options of a command that only shows a plan: stdout is free for its own result.
  init(_ parsed: ParsedArguments, format: AudioContainer?, writesAudio: Bool) throws(CommandFailure) {
    common = try CommonOptions(parsed)
    speakers = parsed.keyed("user").map(SpeakerFile.init)
    listenerPath = parsed.text("local")
    music = if let value = parsed.keyed("mix").first { try MusicFile(value) } else { nil }
    effects = try parsed.keyed("effect").map { value throws(CommandFailure) in try EffectFile(value) }
    codec = parsed.keyed("codec").first.map(CodecOptions.init)
    sampleRate = parsed.integer("rate")
    channelCount = parsed.integer("channels")
    sampleFormat = parsed.text("sample-format").flatMap(SampleFormat.init(rawValue:))
    dither = parsed.has("dither") ? .always : parsed.has("no-dither") ? .never : .automatic
    loudnessTarget = LoudnessTarget(parsed)
    seed = parsed.integer("seed") ?? 1
    overwrites = parsed.has("overwrite")
    keepsTags = !parsed.has("no-tags")
    isDryRun = parsed.has("dry-run")
    isPaced = parsed.has("realtime")
    gainDecibels = parsed.number("gain") ?? 0
    pan = parsed.number("pan")
    recordVolume = parsed.integer("record-volume") ?? 100
    playbackVolume = parsed.integer("playback-volume") ?? 100
    voicePitch = try VoicePitch(parsed)
    isVoiceOnly = parsed.has("voice-only")
    jobCount = JobCount.of(parsed)
    outputFolder = parsed.text("out-dir")
    frameProgram = try FrameProgram(parsed)
    picture = try PictureOptions(parsed)
    resultFormat = parsed.has("json") ? .json : parsed.has("json-lines") ? .jsonLines : .text
    progress = parsed.text("progress").flatMap(ProgressMode.init(rawValue:)) ?? .auto
    rawInput = try RawFormat.option(of: parsed)
    try Self.checkContradictions(parsed, effects, writesAudio: writesAudio)
    let inputs = try InputExpansion.expand(parsed.operands)
    try rawInput?.check(inputs: inputs)
    let writesNumbers = resultFormat != .text || ["report", "csv", "plot"].contains { parsed.has($0) }
    jobs = try JobPlanner(
      inputs: inputs, hasSpeakers: !speakers.isEmpty, output: parsed.text("output"),
      outputFolder: outputFolder, format: format, report: parsed.text("report"),
      table: parsed.text("csv"), picture: picture?.path, isForSoundAlone: !writesNumbers && !isDryRun
    ).jobs()
    try checkPaths(lists: InputExpansion.lists(of: parsed.operands))
    try checkEffects()
    try checkOutputOptions()
    try checkDither(asSeeded: parsed.has("seed"))
    try checkPanning()
    if inputs.isEmpty { try Self.checkInputOptions(parsed) }
  }

  /// Checks that no option acts on the input if there are only speakers.
  private static func checkInputOptions(_ parsed: ParsedArguments) throws(CommandFailure) {
    for name in ["gain", "pan", "pitch"] where parsed.has(name) {
      // --user has no key for a pitch.
      let key = name == "pitch" ? "" : ", or give --user the key '\(name)'"
      throw .usage("--\(name) acts on the input, and there is none; name an input file\(key)")
    }
  }

  private func checkEffects() throws(CommandFailure) {
    var seen: Set<Int> = []
    for effect in effects where !seen.insert(effect.soundID).inserted {
      throw .usage("--effect has the number \(effect.soundID) more than once; give each effect its own")
    }
  }

  private func checkPanning() throws(CommandFailure) {
    let options = [
      ("--pan", (pan ?? 0) != 0), ("the key 'pan' of --user", speakers.contains { $0.pan != 0 }),
      ("the key 'pan' of --effect", effects.contains { $0.pan != 0 }),
    ]
    guard let option = options.first(where: \.1)?.0, let channelCount, channelCount != 2 else { return }
    throw .usage("\(option) needs a stereo output, and --channels says \(channelCount); use --channels 2")
  }

  /// Whether a report, tables, or results on stdout need the measurements of the job.
  func wantsResults(of job: FileJob) -> Bool {
    job.reportPath != nil || job.tablePath != nil || resultFormat != .text
  }

  /// Checks that no two options contradict each other.
  private static func checkContradictions(
    _ parsed: ParsedArguments, _ effects: [EffectFile], writesAudio: Bool
  ) throws(CommandFailure) {
    let pairs = [
      ("json", "json-lines"), ("dither", "no-dither"), ("seed", "no-dither"), ("dry-run", "realtime"),
    ]
    for (one, other) in pairs where parsed.has(one) && parsed.has(other) {
      throw .usage("--\(one) and --\(other) contradict each other; give one of them")
    }
    if writesAudio { try parsed.check("seed", actsOn: ["output", "out-dir"], lacking: "no output to dither") }
    if writesAudio, parsed.text("output") == "-" {
      for name in ["json", "json-lines"] where parsed.has(name) {
        throw .usage(
          "-o - and --\(name) would both write to stdout; send the audio to a file, or use --report FILE")
      }
    }
    for (name, alternative) in [("report", "; use --json"), ("csv", "; name a file")]
    where parsed.text(name) == "-" {
      throw .usage("--\(name) writes a file, not stdout\(alternative)")
    }
    let paths =
      parsed.keyed("user").map { ("user", $0.head) } + parsed.texts("local").map { ("local", $0) }
      + parsed.keyed("mix").map { ("mix", $0.head) } + effects.map { ("effect", $0.path) }
    for (name, path) in paths where path == "-" {
      throw .usage("--\(name) cannot read stdin; only an input can be '-'")
    }
  }

  /// Checks that the output may need dither, as far as the command line shows. Without a sample format on it, the input
  /// decides.
  private func checkDither(asSeeded hasSeed: Bool) throws(CommandFailure) {
    guard dither == .always || hasSeed else { return }
    let option = dither == .always ? "--dither" : "--seed"
    let kinds = jobs.compactMap(\.container)
    let output: String
    if let sampleFormat, sampleFormat.bitDepth > 16 {
      output = "--sample-format \(sampleFormat.rawValue)"
    } else if let kind = kinds.first, kinds.allSatisfy(\.sampleFormats.isEmpty) {
      output = "\(kind.rawValue) files"
    } else {
      return
    }
    throw .usage("\(option) cannot be used with \(output): only 8 and 16 bits are dithered; leave it out")
  }

  private func checkOutputOptions() throws(CommandFailure) {
    if let loudnessTarget, jobs.allSatisfy({ $0.output == .none && $0.refusal == nil }) {
      let option = loudnessTarget.integrated == nil ? "true-peak" : "loudness-target"
      throw .usage("--\(option) has no output to apply to; add -o OUT or --out-dir DIR, or leave it out")
    }
    if !keepsTags, jobs.allSatisfy({ $0.container == nil && $0.refusal == nil }) {
      throw .usage("--no-tags has no output to apply to; add -o OUT or --out-dir DIR, or leave it out")
    }
    guard let sampleFormat else { return }
    for job in jobs {
      // It has no output because it has no name to give it, or no kind.
      if case .notUTF8 = job.input { continue }
      if job.refusal != nil { continue }
      guard let kind = job.container else {
        throw .usage("--sample-format has no output to apply to; add -o OUT or --out-dir DIR")
      }
      guard !kind.sampleFormats.contains(sampleFormat) else { continue }
      let words = kind.sampleFormats.map(\.rawValue).joined(separator: ", ")
      throw .usage(
        "\(kind.rawValue) files cannot hold \(sampleFormat.rawValue) samples; "
          + (words.isEmpty ? "leave --sample-format out" : "choose what they hold: \(words)"))
    }
  }
}
