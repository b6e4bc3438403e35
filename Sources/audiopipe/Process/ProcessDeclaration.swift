import AudioFiles
import AudioGraph
import CommandLineKit
import Effects
import Engine
import FrameObservers

/// Options of `process`, and of `graph`, which takes the same.
enum ProcessDeclaration {
  static let process = CommandDeclaration(
    name: "process",
    summary: "Run files through the whole pipeline offline",
    examples: [
      "audiopipe process in.wav -o out.wav --gain -3 --pan -0.3",
      "audiopipe process talk.wav -o out.wav --mix music.flac:volume=40 --codec opus:bitrate=32000 --report report.json",
      "audiopipe process 'takes/*.wav' --out-dir processed --jobs 2",
    ],
    notes: [
      "IN is a file, '-' for stdin, a glob, or @LIST, a text file with one path a line. Several inputs are independent "
        + "jobs. A compressed file through stdin is copied to a temporary file in TMPDIR or /tmp first, up to 4 GiB. Without -o and --out-dir no sound is written: only a report, tables and a picture, if they are asked for.",
      "Reports and tables hold pitch, volume and loudness. Where one is asked for, measuring them is nearly all of the work: "
        + "some 4 seconds of a CPU for 10 minutes of stereo, the rest 0.2.",
      "A file of --mix or --effect that is missing ends the job with 66, one that cannot be read with 65, as any input "
        + "does, before anything is written. One that is cut short while it is played is a warning, and the job goes on.",
      "Dither moves a sample by up to 1.5 steps (LSB) of its 8 or 16 bits; with --no-dither it stays within 1 step of what other "
        + "programs make of the same sound while no true peak passes -0.5 dBTP. What --gain, --pan, --user, --mix, --effect and "
        + "others may lift above that, a limiter turns down, to below -0.1 dBTP.",
      "--codec keeps the length and, from 16 kbit/s on, with fec up to 96, the place of speech within one or two samples of "
        + "48 kHz; beyond, libopus moves some voices by a few samples more.",
      "A program of --observe-cmd or --filter-cmd that is not there ends the job with 69. A filter that does not answer every "
        + "frame in time and whole, or ends with a status other than 0, ends it with 65 and no output, since what it answers is "
        + "input; a reader that ends with one ends it with 74, and the output is whole. One that neither reads nor ends is waited for, "
        + "with a warning after 5 s.",
    ],
    operands: CommandDeclaration.Operands(kind: .files, placeholder: "IN...", minimum: 0, maximum: .max),
    options: inputOptions + [outputFormat] + outputOptions + soundOptions + observationOptions + resultOptions
      + PictureOptions.declarations(group: "Results") + runningOptions + CommonOptions.declarations)

  static let graph = CommandDeclaration(
    name: "graph",
    summary: "Print the graph that the same arguments of 'process' would run",
    examples: [
      "audiopipe graph in.wav -o out.wav --gain -3 --codec opus",
      "audiopipe graph in.wav --mix music.flac --format dot | dot -Tsvg > graph.svg",
    ],
    notes: [
      "Takes the arguments of 'audiopipe process', except that --format is the format of the graph. "
        + "Shows the latency and the format on every edge. Nothing is written but the graph, to stdout."
    ],
    operands: process.operands,
    options: inputOptions + [graphFormat] + outputOptions + soundOptions + observationOptions + resultOptions
      + PictureOptions.declarations(group: "Results") + runningOptions + CommonOptions.declarations)

  private static let inputOptions = [
    OptionDeclaration(
      "user", .keyed(SpeakerFile.syntax), isRepeatable: true, group: "Input",
      help: "One more speaker, mixed into the output: gain in dB, pan from left to right, start in seconds"),
    OptionDeclaration("local", .file, group: "Input", help: "A voice for the listener"),
    RawFormat.declaration,
  ]

  private static let outputFormat = OptionDeclaration(
    "format", .choice(AudioContainer.writable.map(\.rawValue)), group: "Output", default: "by extension",
    help: "The kind of output file")

  private static let graphFormat = OptionDeclaration(
    "format", .choice(GraphOptions.Format.allCases.map(\.rawValue)), group: "Output", default: "text",
    help: "How the graph is printed")

  private static let outputOptions = [
    OptionDeclaration(
      "output", short: "o", .file, group: "Output", help: "The output file; '-' streams a WAV to stdout"),
    OptionDeclaration(
      "out-dir", .directory, group: "Output", help: "The folder for the outputs of several inputs, made if need be"),
    OptionDeclaration(
      "rate", .integer(AudioFormat.sampleRates), placeholder: "HZ", group: "Output",
      default: "the highest of the inputs", help: "The sample rate of the output"),
    OptionDeclaration(
      "channels", .integer(AudioFormat.channelCounts), group: "Output", default: "the input's",
      help: "The channel count of the output"),
    OptionDeclaration(
      "sample-format", .choice(SampleFormat.allCases.map(\.rawValue)), group: "Output",
      default: "the input's",
      help: "How the output's samples are stored"),
    OptionDeclaration(
      "dither", group: "Output",
      help: "Dither 8 and 16 bits (TPDF) from the first sample on; without an output, nothing is"),
    OptionDeclaration(
      "no-dither", group: "Output",
      help: "Never dither; otherwise 8 and 16 bits are, from the first sample on that they cannot hold exactly"),
    OptionDeclaration(
      "seed", .integer(0...Int.max), group: "Output", default: "1", help: "The seed of the dither's noise"),
    OptionDeclaration("overwrite", group: "Output", help: "Replace files that exist"),
    OptionDeclaration(
      "no-tags", group: "Output",
      help: "Leave out title, artist and the like, which go to the output where it can have them"),
  ]

  private static let soundOptions = [
    OptionDeclaration(
      "gain", .number(ProcessOptions.gainRange, unit: "dB"), group: "Sound", default: "0",
      help: "The level at which the input is heard, with the music and effects that go with it"),
    OptionDeclaration(
      "pan", .number(-1...1, unit: nil), group: "Sound",
      help: "Where the input is heard, with the music and effects that go with it: -1 left, 0 centre, 1 right"),
    OptionDeclaration(
      "pitch", .text, placeholder: "RATIO|+Nst", group: "Sound", default: "1",
      help: "The pitch of the input's voice: a ratio from 0.5 to 2, or semitones such as +3st; its speed stays"),
    OptionDeclaration(
      "pitch-mode", .choice(PitchShiftMode.allCases.map(\.rawValue)), group: "Sound", default: "quality",
      help: "How --pitch works: as in a call, or as well as it can"),
    OptionDeclaration(
      "keep-formants", group: "Sound", help: "Let --pitch leave the resonances of a voice's mouth where they are"),
    OptionDeclaration(
      "voice-only", group: "Sound",
      help: "Let speech alone through, of every voice: keystrokes, fans and what is between words are taken away"),
    OptionDeclaration(
      "record-volume", .integer(0...400), group: "Sound", default: "100",
      help: "Percent of the level before RECORD, up to 400 with a limiter"),
    OptionDeclaration(
      "playback-volume", .integer(0...400), group: "Sound", default: "100",
      help: "Percent of the level before PLAYBACK, up to 400 with a limiter"),
    OptionDeclaration(
      "mix", .keyed(MusicFile.syntax), group: "Sound",
      help: "Music under the speech, to its own end: volume in percent, how often (1; -1: as long as there is speech)"),
    OptionDeclaration(
      "effect", .keyed(EffectFile.syntax), isRepeatable: true, group: "Sound",
      help:
        "A sound effect with a number: start in seconds, left to right, gain in percent, pitch, how often it is "
        + "repeated (1: heard twice; -1: for ever)"
    ),
    OptionDeclaration(
      "codec", .keyed(CodecOptions.syntax), group: "Sound",
      help: "Encode and decode on the way: bit/s, complexity, ms a packet, forward error correction"),
  ]

  private static let observationOptions = [
    OptionDeclaration(
      "observe", .choices(ObserverPosition.allNames), group: "Frames",
      help: "Positions whose frames go to a program: \(ObserverPosition.allNames.joined(separator: ", ")); the last "
        + "needs --local"),
    OptionDeclaration(
      "observe-cmd", .text, placeholder: "COMMAND", group: "Frames",
      help: "A program that reads those frames as raw PCM, 16 bit, channels interleaved; $AUDIOPIPE_POSITION, _UID, "
        + "_RATE and _CHANNELS say which, one process for each; what it prints goes to stdout, or "
        + "to stderr where the job's own result takes that"),
    OptionDeclaration(
      "filter-cmd", .text, placeholder: "COMMAND", group: "Frames",
      help: "A program whose answer replaces the frames of one position: as many bytes as it was given, frame by "
        + "frame, within 5 s"),
  ]

  private static let resultOptions = [
    OptionDeclaration(
      "report", .file, group: "Results",
      help: "Write a JSON report; with several inputs one each, REPORT.IN.json"),
    OptionDeclaration(
      "csv", .file, group: "Results",
      help: "Write volume, pitch (of what the first speaker sends) and loudness over time as tables, the kind "
        + "before the extension: out.pitch.csv"),
  ]

  private static let runningOptions = [
    OptionDeclaration(
      "json-lines", group: "Results", help: "Write events to stdout as they happen, one JSON object a line"),
    OptionDeclaration(
      "progress", .choice(ProgressMode.allCases.map(\.rawValue)), group: "Results", default: "auto",
      help: "A bar on a terminal, a line every 10 s elsewhere"),
    OptionDeclaration(
      "dry-run", group: "Running", help: "Print graph, formats, latency and outputs; write nothing"),
    JobCount.option(group: "Running"),
    OptionDeclaration(
      "realtime", group: "Running", help: "Keep pace with the clock instead of running as fast as possible"),
  ]
}
