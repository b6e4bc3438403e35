import CommandTestSupport
import Effects
import Engine
import FrameObservers
import TestSupport
import Testing

@testable import AudioFiles
@testable import CommandLineKit
@testable import Commands
@testable import FileCommands
@testable import OfflineProcessing
@testable import SoundOptions

@Suite("ProcessOptions", .timeLimit(.minutes(10)))
struct ProcessOptionsTests {
  @Test("Without options the pipeline changes nothing")
  func defaults() throws {
    let options = try processOptions("in.wav")
    #expect(
      options.jobs == [FileJob(input: .file("in.wav"), output: .none, reportPath: nil, tablePath: nil)])
    #expect(options.gainDecibels == 0 && options.pan == nil && options.recordVolume == 100)
    #expect(options.playbackVolume == 100 && options.music == nil && options.codec == nil)
    #expect(options.sampleRate == nil && options.channelCount == nil && options.sampleFormat == nil)
    #expect(options.dither == .automatic && options.seed == 1 && options.frameProgram == nil)
    #expect(!options.overwrites && !options.isDryRun && !options.isPaced && options.jobCount >= 1)
    #expect(options.resultFormat == .text && options.progress == .auto && options.common.logLevel == .info)
    #expect(options.speakers.isEmpty && options.listenerPath == nil && options.rawInput == nil)
  }

  @Test("Options of input and output are typed")
  func inputAndOutput() throws {
    let options = try processOptions(
      "- -o out.flac --raw s16:48000:2 --user a:b.wav:gain=-3:at=2.5 --user c.wav:pan=1 --local l.wav --rate 44100 "
        + "--channels 2 --sample-format s24 --no-dither --overwrite --realtime --jobs 3 "
        + "--report r.json --csv t.csv")
    #expect(
      options.jobs == [
        FileJob(
          input: .standardInput, output: .file("out.flac", .flac), reportPath: "r.json", tablePath: "t.csv")
      ])
    let raw = try #require(options.rawInput)
    #expect(raw.description == "s16:48000:2")
    #expect(try processOptions("- -o b.wav --raw s16le:48000:2").rawInput == raw)
    #expect(options.speakers.map(\.path) == ["a:b.wav", "c.wav"])
    #expect(options.speakers.map(\.gainDecibels) == [-3, 0])
    #expect(options.speakers.map(\.pan) == [0, 1] && options.speakers.map(\.startSeconds) == [2.5, 0])
    #expect(options.listenerPath == "l.wav" && options.sampleRate == 44_100 && options.channelCount == 2)
    #expect(options.sampleFormat == .int24 && options.dither == .never)
    #expect(options.overwrites && options.isPaced && options.jobCount == 3)
    let other = try processOptions("a -o b.wav --sample-format u8 --dither --seed 7 --dry-run")
    #expect(other.dither == .always && other.seed == 7 && other.isDryRun)
  }

  @Test("Options of sound and results are typed")
  func soundAndResults() throws {
    let options = try processOptions(
      "in.wav --gain -3dB --pan -0.3 --record-volume 400 --playback-volume 0 --mix m:1.flac:volume=40 "
        + "--codec opus:bitrate=32000:complexity=5:fec --local l --observe record,earMonitoring --observe-cmd wc "
        + "--json --progress plain -v --log-format json --dither")
    #expect(options.gainDecibels == -3 && options.pan == -0.3)
    #expect(options.recordVolume == 400 && options.playbackVolume == 0)
    #expect(options.music?.path == "m:1.flac" && options.music?.volume == 40)
    let codec = try #require(options.codec)
    #expect(codec.bitRate == 32_000 && codec.complexity == 5 && codec.usesForwardErrorCorrection)
    #expect(codec.packetMilliseconds == 20)
    let program = try #require(options.frameProgram)
    #expect(
      program.positions == [.record, .earMonitoring] && program.command == "wc" && program.role == .reader)
    #expect(options.resultFormat == .json && options.progress == .plain && options.dither == .always)
    #expect(options.common.logLevel == .debug && options.common.logFormat == .json)
  }

  @Test("--voice-only switches the voice-only mode on")
  func voiceOnly() throws {
    #expect(try processOptions("i --voice-only").isVoiceOnly)
    #expect(try !processOptions("i").isVoiceOnly)
  }

  @Test("A pitch is a ratio or a distance in semitones, with its mode", .shows("process: pitch"))
  func pitch() throws {
    #expect(try processOptions("i").voicePitch == nil)
    let ratio = try #require(try processOptions("i --pitch 0.75").voicePitch)
    #expect(ratio.ratio.value == 0.75 && ratio.mode == .quality && !ratio.keepsFormants)
    let up = try #require(try processOptions("i --pitch +12st --pitch-mode low-delay --keep-formants").voicePitch)
    #expect(up.ratio.value == 2 && up.mode == .lowDelay && up.keepsFormants)
    let down = try #require(try processOptions("i --pitch -3st").voicePitch)
    #expect(abs(down.ratio.value - 0.840896) < 1e-6)
  }

  @Test("packets carry 10 ms, 20 ms with FEC, or the requested length")
  func packetLengths() throws {
    #expect(try processOptions("i --codec opus").codec?.packetMilliseconds == 10)
    #expect(try processOptions("i --codec opus:frame=20").codec?.packetMilliseconds == 20)
    #expect(try processOptions("i --codec opus:fec:frame=10").codec?.packetMilliseconds == 10)
  }

  @Test(
    "Every position can be observed, and filtered alone",
    arguments: [
      ("record", ObserverPosition.record), ("mixed", .mixed), ("playback", .playback),
      ("beforeMixing", .beforeMixing), ("earMonitoring", .earMonitoring),
    ])
  func positions(word: String, position: ObserverPosition) throws {
    let program = try #require(try processOptions("in.wav --local l --observe \(word) --filter-cmd cat").frameProgram)
    #expect(program.positions == position && program.role == .filter)
  }

  @Test(
    "each contradiction is one sentence and exit code 64",
    arguments: [
      ("", "there is nothing to process; name an input file, or '-' for stdin"),
      ("a b -o c.wav", "2 inputs need a folder for their outputs; use --out-dir DIR"),
      (
        "a -o b.wav --out-dir d",
        "-o and --out-dir cannot be used together; -o names one output, --out-dir the folder of many"
      ),
      (
        "a -o - --out-dir d",
        "-o and --out-dir cannot be used together; -o names one output, --out-dir the folder of many"
      ),
      (
        "--user a --out-dir d",
        "--out-dir needs an input file that gives the output its name; use -o with --user alone"
      ),
      ("a --format wav", "--format has no output to apply to; add -o OUT or --out-dir DIR"),
      (
        "a -o - --format flac",
        "-o - streams a WAV, it cannot be --format flac; name a file for other formats"
      ),
      (
        "a -o b.xyz",
        "the format of the file is not clear from the name 'b.xyz'; use --format wav|w64|aiff|au|caf|flac|ogg|opus|mp3"
      ),
      (
        "/etc/passwd --out-dir d",
        "cannot write a file of the kind of '/etc/passwd'; use --format wav|w64|aiff|au|caf|flac|ogg|opus|mp3"
      ),
      (
        "x/a.wav y/a.wav --out-dir d",
        "the results of 'x/a.wav' and 'y/a.wav' would both be 'd/a.wav'; process them one by one"
      ),
      (
        "a.wav a.flac --out-dir d --format wav",
        "the results of 'a.wav' and 'a.flac' would both be 'd/a.wav'; process them one by one"
      ),
      (
        "a.wav -o b.wav --report b.wav",
        "two results of 'a.wav' would both be 'b.wav'; give each its own name"
      ),
      (
        "--user a --csv t --report t.volume",
        "two results of 'the speakers' would both be 't.volume'; give each its own name"
      ),
      ("a --no-tags", "--no-tags has no output to apply to; add -o OUT or --out-dir DIR, or leave it out"),
      ("a --sample-format s16", "--sample-format has no output to apply to; add -o OUT or --out-dir DIR"),
      ("a --seed 3", "--seed has no output to dither; add --output or --out-dir, or leave it out"),
      ("a -o b.flac --sample-format f32", "flac files cannot hold f32 samples; choose what they hold: s16, s24"),
      ("a -o b.ogg --sample-format s16", "ogg files cannot hold s16 samples; leave --sample-format out"),
      (
        "a -o b.wav --sample-format f32 --dither",
        "--dither cannot be used with --sample-format f32: only 8 and 16 bits are dithered; leave it out"
      ),
      (
        "a b.ogg --out-dir c --format flac --sample-format s24 --dither --seed 3",
        "--dither cannot be used with --sample-format s24: only 8 and 16 bits are dithered; leave it out"
      ),
      (
        "a -o - --sample-format s32 --codec opus --seed 3",
        "--seed cannot be used with --sample-format s32: only 8 and 16 bits are dithered; leave it out"
      ),
      (
        "a -o b.mp3 --dither",
        "--dither cannot be used with mp3 files: only 8 and 16 bits are dithered; leave it out"
      ),
      (
        "a.wav b.wav --out-dir c --format ogg --seed 3",
        "--seed cannot be used with ogg files: only 8 and 16 bits are dithered; leave it out"
      ),
      ("a -o b.wav --seed 3 --no-dither", "--seed and --no-dither contradict each other; give one of them"),
      ("a --dry-run --realtime", "--dry-run and --realtime contradict each other; give one of them"),
      ("a --dither --no-dither", "--dither and --no-dither contradict each other; give one of them"),
      ("a --json --json-lines", "--json and --json-lines contradict each other; give one of them"),
      (
        "a -o - --json",
        "-o - and --json would both write to stdout; send the audio to a file, or use --report FILE"
      ),
      (
        "a -o - --json-lines",
        "-o - and --json-lines would both write to stdout; send the audio to a file, or use --report FILE"
      ),
      ("a -q -v", "--quiet and --verbose contradict each other; give one of them"),
      ("a -q --log-level debug", "--quiet and --log-level contradict each other; give one of them"),
      ("a --report -", "--report writes a file, not stdout; use --json"),
      ("a --csv -", "--csv writes a file, not stdout; name a file"),
      ("- -", "'-' was given more than once, but stdin can be read one time only; give it one time"),
      ("a --user -", "--user cannot read stdin; only an input can be '-'"),
      ("a --user -:gain=3", "--user cannot read stdin; only an input can be '-'"),
      ("a --local -", "--local cannot read stdin; only an input can be '-'"),
      ("a --mix -", "--mix cannot read stdin; only an input can be '-'"),
      ("a --raw s16:48000:2", "--raw describes stdin, which is not read; give '-' as the input"),
      (
        "- --raw s16:48000",
        "option '--raw' cannot take 's16:48000'; write FORMAT:RATE:CHANNELS, for instance s16:48000:2"
      ),
      (
        "- --raw s99:48000:2 --seed 3",
        "the sample format of option '--raw' cannot take 's99'; it needs one of u8, s16, s24, s32, f32, f64, alaw, mulaw"
      ),
      ("- --raw s17:48000:2", "the sample format of option '--raw' cannot take 's17'; did you mean 's16'?"),
      (
        "- --raw s16:4000:2",
        "the rate of option '--raw' cannot take '4000'; it needs a whole number from 8000 to 192000"
      ),
      (
        "- --raw s16:48000:9",
        "the channel count of option '--raw' cannot take '9'; it needs a whole number from 1 to 8"
      ),
      (
        "a --observe record",
        "--observe needs a program for the frames; add --observe-cmd 'PROGRAM' or --filter-cmd 'PROGRAM'"
      ),
      (
        "a --observe-cmd wc",
        "--observe-cmd needs to know which frames; add --observe with one of record, mixed, playback, beforeMixing, earMonitoring"
      ),
      (
        "a --filter-cmd cat",
        "--filter-cmd needs to know which frames; add --observe with one of record, mixed, playback, beforeMixing, earMonitoring"
      ),
      (
        "a --observe record --observe-cmd wc --filter-cmd cat",
        "--observe-cmd and --filter-cmd cannot be used together; give one of them"
      ),
      (
        "a --observe record,mixed --filter-cmd cat",
        "--filter-cmd works at exactly one position, but --observe names 2; name one"
      ),
      (
        "a --observe earMonitoring --observe-cmd wc",
        "earMonitoring is the listener's own voice, and there is none; add --local FILE"
      ),
      (
        "a -o b.wav --pan 0.1 --channels 1",
        "--pan needs a stereo output, and --channels says 1; use --channels 2"
      ),
      (
        "a -o b.wav --user c:pan=-1 --channels 1",
        "the key 'pan' of --user needs a stereo output, and --channels says 1; use --channels 2"
      ),
      (
        "a --pitch 3",
        "option '--pitch' cannot take '3'; it needs a number from 0.5 to 2, or semitones such as +3st"
      ),
      (
        "a -o b.wav --loudness-target 16",
        "option '--loudness-target' cannot take '16'; it needs a number of LUFS from -70 to -5: did you mean '-16'?"
      ),
      ("a --pitch 2.5", "option '--pitch' cannot take '2.5'; it needs a number from 0.5 to 2"),
      (
        "a --pitch +1",
        "option '--pitch' cannot take '+1'; a ratio has no sign, and semitones end in st: +1st"
      ),
      (
        "a --pitch 13st",
        "the distance of option '--pitch' cannot take '13st'; it needs a number of st from -12 to 12"
      ),
      ("a --keep-formants", "--keep-formants says how --pitch works, which was not given; add --pitch"),
      ("a --report a", "the report would replace the input 'a'; give it another name"),
    ])
  func contradictions(line: String, sentence: String) {
    #expect(failure { _ = try processOptions(line) } == .usage(sentence))
  }

  @Test(
    "dither and its seed need one output that may have 8 or 16 bits", .shows("usage"),
    arguments: ["--sample-format s16", "--sample-format u8 --format wav", "", "--format flac"])
  func possibleDither(options: String) throws {
    let line = options.isEmpty ? "a.ogg b.wav --out-dir c" : "a.wav b.wav --out-dir c \(options)"
    #expect(try processOptions(line + " --dither --seed 3").seed == 3)
  }

  @Test(
    "--effect and --plot refuse wrong values",
    arguments: ["--effect", "--plot"])
  func unknownOptions(option: String) {
    #expect(failure { _ = try processOptions("a \(option) 1") }?.exitCode == .usage)
  }

  @Test("Results of several inputs are named after them", .shows("process: outputs"))
  func severalInputs() throws {
    let options = try processOptions("x/a.wav b.flac - --out-dir d/ --report r/all.json --csv t")
    #expect(
      options.jobs.map(\.output) == [
        .file("d/a.wav", .wav), .file("d/b.flac", .flac), .file("d/stdin.wav", .wav),
      ])
    #expect(options.jobs.map(\.reportPath) == ["r/all.a.wav.json", "r/all.b.flac.json", "r/all.stdin.json"])
    #expect(options.jobs.map(\.tablePath) == ["t.a.wav", "t.b.flac", "t.stdin"])
    let converted = try processOptions("x/a.b.MP3 --out-dir d --format flac --report r.json")
    #expect(converted.jobs.map(\.output) == [.file("d/a.b.flac", .flac)])
    #expect(converted.jobs.map(\.reportPath) == ["r.json"])
  }

  @Test("one unwritable kind among several inputs is refused alone")
  func unwritableKind() throws {
    let options = try processOptions("/etc/passwd b.wav --out-dir d --sample-format s16 --report r.json --plot p.svg")
    let sentence =
      "cannot write a file of the kind of '/etc/passwd'; use --format wav|w64|aiff|au|caf|flac|ogg|opus|mp3"
    #expect(options.jobs.map(\.refusal) == [.usage(sentence), nil])
    #expect(options.jobs.map(\.output) == [.none, .file("d/b.wav", .wav)])
    #expect(try processOptions("/etc/passwd b.wav --out-dir d --format wav").jobs.allSatisfy { $0.refusal == nil })
  }

  @Test("Several inputs need no outputs")
  func severalWithoutOutputs() throws {
    let options = try processOptions("x/a.wav b.flac --report r.json")
    #expect(options.jobs.map(\.output) == [.none, .none])
    #expect(options.jobs.map(\.reportPath) == ["r.a.wav.json", "r.b.flac.json"])
    #expect(try processOptions("a b").jobs.count == 2)
  }

  @Test("Speakers alone are one job without an input")
  func speakersAlone() throws {
    let options = try processOptions("--user a.wav --user b.wav -o -")
    #expect(options.jobs == [FileJob(input: nil, output: .standardOutput, reportPath: nil, tablePath: nil)])
  }

  @Test(
    "The extension decides the kind of file, in any case", .shows("process: outputs"),
    arguments: [
      ("a.WAV", .wav), ("a/b.aif", .aiff), ("x.snd", .au), ("x.caf", .caf), ("x.oga", .ogg), ("x.w64", .w64),
      ("x.Flac", .flac), ("a.wav/x", nil), ("a.Opus", .opus), ("b.mp3", .mp3), (".wav", nil), ("wav", nil), ("x.", nil),
    ] as [(String, AudioContainer?)])
  func extensions(path: String, format: AudioContainer?) {
    #expect(AudioContainer(path: path) == format)
  }

  @Test("graph takes the arguments of process, and prints in its own formats", .shows("graph"))
  func graph() throws {
    func options(_ line: String) throws -> GraphOptions {
      try GraphOptions(parse(line.split(separator: " ").map(String.init), ProcessDeclaration.graph))
    }
    #expect(try options("a -o b.wav --gain 3").format == .text)
    #expect(try options("a -o - --json").format == .json)
    #expect(try options("a --format dot --codec opus:fec").process.codec?.usesForwardErrorCorrection == true)
    #expect(
      failure { _ = try options("a --json --format dot") }
        == .usage("--json and --format dot contradict each other; give one of them"))
    #expect(
      failure { _ = try options("a --format svg") }
        == .usage("option '--format' cannot take 'svg'; it needs one of text, dot, mermaid, json"))
  }
}
