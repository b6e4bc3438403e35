import AudioFiles
import AudioGraph
package import CommandLineKit
import Effects
import Engine
import FrameObservers
import OfflineProcessing
import SoundOptions

/// Options of `process`, and of `graph`, which takes the same.
package enum ProcessDeclaration {
  package static let process = CommandDeclaration(
    name: "process",
    summary: "Run files through the whole pipeline offline",
    examples: [
      "audiopipe process in.wav -o out.wav --gain -3 --pan -0.3",
      "audiopipe process talk.wav -o out.wav --mix music.flac:volume=40 --codec opus:bitrate=32000 --report report.json",
      "audiopipe process 'takes/*.wav' --out-dir processed --loudness-target -16 --jobs 2",
    ],
    notes: [
      "IN is a file, '-' for stdin, a glob, or @LIST, a text file with one path per line. Several inputs are "
        + "independent jobs. A compressed file on stdin is first copied to a temporary file in TMPDIR or /tmp, up to 4 GiB. "
        + "Without -o and --out-dir, no sound is written, only the requested report, tables and picture.",
      "Reports and tables hold pitch, volume and loudness. If one is requested, these measurements are nearly all of the "
        + "work: about 4 s of CPU time for 10 minutes of stereo, and 0.2 s for the rest.",
      "A missing file of --mix or --effect ends the job with exit code 66, a damaged one with 65, as for any input. "
        + "In both cases nothing is written. A truncated file causes a warning during playback, and the job continues.",
      "Dither changes a sample by up to 1.5 steps (LSB) of its 8 or 16 bits. With --no-dither, samples are within 1 step of "
        + "other programs' results while no true peak exceeds -0.5 dBTP. If --gain, --pan, --user, --mix, --effect or other "
        + "options raise peaks above that, a limiter reduces them to below -0.1 dBTP.",
      "--loudness-target runs the job once and keeps its sound in a temporary file in TMPDIR or /tmp, with 4 bytes per sample. The "
        + "output is written after 2 to 8 passes over that file, and up to 6 more for a lossy output, in which loudness and true "
        + "peak hold for the decoded sound. Programs, tables, pictures and the limiters above see the sound before that. A "
        + "loudness that cannot be reached causes a warning, and the output comes as near as it can.",
      "--codec keeps the length. From 16 kbit/s, and with fec up to 96 kbit/s, it keeps the position of speech within one or two "
        + "samples at 48 kHz. Outside that range, libopus shifts some voices by a few more samples.",
      "A missing program of --observe-cmd or --filter-cmd ends the job with exit code 69. A filter must answer every frame "
        + "completely and in time, and end with status 0. Otherwise the job ends with 65 and no output, as with any bad input. "
        + "A reader that ends with another status ends the job with 74, and the output is complete. The job waits for a "
        + "program that neither reads nor ends, with a warning after 5 s.",
    ],
    operands: CommandDeclaration.Operands(kind: .files, placeholder: "IN...", minimum: 0, maximum: .max),
    options: inputOptions + [outputFormat] + outputOptions + LoudnessTarget.declarations + soundOptions
      + observationOptions + resultOptions + PictureOptions.declarations(group: "Results") + runningOptions
      + CommonOptions.declarations)

  package static let graph = CommandDeclaration(
    name: "graph",
    summary: "Print the graph that 'process' runs for the same arguments",
    examples: [
      "audiopipe graph in.wav -o out.wav --gain -3 --codec opus",
      "audiopipe graph in.wav --mix music.flac --format dot | dot -Tsvg > graph.svg",
    ],
    notes: [
      "The arguments are those of 'audiopipe process', except that --format is the format of the graph. The graph shows the "
        + "latency, and the format on every edge. It goes to stdout; no other output is written."
    ],
    operands: process.operands,
    options: inputOptions + [graphFormat] + outputOptions + LoudnessTarget.declarations + soundOptions
      + observationOptions + resultOptions + PictureOptions.declarations(group: "Results") + runningOptions
      + CommonOptions.declarations)

  private static let inputOptions = [
    OptionDeclaration(
      "user", .keyed(SpeakerFile.syntax), isRepeatable: true, group: "Input",
      help: "Additional speaker, mixed into the output; gain in dB, pan from left to right, start in seconds"),
    OptionDeclaration("local", .file, group: "Input", help: "File with the listener's own voice"),
    RawFormat.declaration,
  ]

  private static let outputFormat = OptionDeclaration(
    "format", .choice(AudioContainer.writable.map(\.rawValue)), group: "Output", default: "by extension",
    help: "Format of the output file")

  private static let graphFormat = OptionDeclaration(
    "format", .choice(GraphOptions.Format.allCases.map(\.rawValue)), group: "Output", default: "text",
    help: "Format of the graph")

  private static let outputOptions = [
    OptionDeclaration(
      "output", short: "o", .file, group: "Output", help: "Output file; '-' streams a WAV to stdout"),
    OptionDeclaration(
      "out-dir", .directory, group: "Output",
      help: "Folder for the outputs of several inputs, created if it does not exist"),
    OptionDeclaration(
      "rate", .integer(AudioFormat.sampleRates), placeholder: "HZ", group: "Output",
      default: "the highest of the inputs", help: "Sample rate of the output in Hz"),
    OptionDeclaration(
      "channels", .integer(AudioFormat.channelCounts), group: "Output", default: "the input's",
      help: "Channel count of the output"),
    OptionDeclaration(
      "sample-format", .choice(SampleFormat.allCases.map(\.rawValue)), group: "Output",
      default: "the input's",
      help: "Sample format of the output"),
    OptionDeclaration(
      "dither", group: "Output",
      help: "Dither 8- and 16-bit output (TPDF) from its first sample; no effect without an output"),
    OptionDeclaration(
      "no-dither", group: "Output",
      help: "Never dither; otherwise 8- and 16-bit output is dithered from the first sample that it cannot hold "
        + "exactly"),
    OptionDeclaration(
      "seed", .integer(0...Int.max), group: "Output", default: "1", help: "Seed of the dither noise"),
    OptionDeclaration("overwrite", group: "Output", help: "Replace existing files"),
    OptionDeclaration(
      "no-tags", group: "Output",
      help: "Omit title, artist and similar tags, which the output otherwise has if its format allows them"),
  ]

  private static let soundOptions = [
    OptionDeclaration(
      "gain", .number(ProcessOptions.gainRange, unit: "dB"), group: "Sound", default: "0",
      help: "Level of the input in dB, together with its music and effects"),
    OptionDeclaration(
      "pan", .number(-1...1, unit: nil), group: "Sound",
      help: "Position of the input, together with its music and effects: -1 left, 0 center, 1 right"),
    OptionDeclaration(
      "pitch", .text, placeholder: "RATIO|+Nst", group: "Sound", default: "1",
      help: "Pitch of the input's voice: a ratio from 0.5 to 2, or semitones such as +3st; the speed is unchanged"),
    OptionDeclaration(
      "pitch-mode", .choice(PitchShiftMode.allCases.map(\.rawValue)), group: "Sound", default: "quality",
      help: "Aim of --pitch: a low delay as in a call, or the best quality"),
    OptionDeclaration(
      "keep-formants", group: "Sound",
      help: "Keep the formants (vocal tract resonances) of a voice unchanged by --pitch"),
    OptionDeclaration(
      "voice-only", group: "Sound",
      help: "Keep only the speech of every voice; keystrokes, fans and sounds between words are removed"),
    OptionDeclaration(
      "record-volume", .integer(0...400), group: "Sound", default: "100",
      help: "Level before RECORD in percent, up to 400 with a limiter"),
    OptionDeclaration(
      "playback-volume", .integer(0...400), group: "Sound", default: "100",
      help: "Level before PLAYBACK in percent, up to 400 with a limiter"),
    OptionDeclaration(
      "mix", .keyed(MusicFile.syntax), group: "Sound",
      help: "Music under the speech, played to its own end; volume in percent; number of plays, 1 unless set, -1 as "
        + "long as there is speech"),
    OptionDeclaration(
      "effect", .keyed(EffectFile.syntax), isRepeatable: true, group: "Sound",
      help:
        "Sound effect with a number; start in seconds, pan from left to right, gain in percent, pitch ratio; number of "
        + "repetitions, 1 for two plays, -1 for endless"
    ),
    OptionDeclaration(
      "codec", .keyed(CodecOptions.syntax), group: "Sound",
      help: "Encode and decode within the pipeline; bit/s, complexity, ms per packet, forward error correction"),
  ]

  private static let observationOptions = [
    OptionDeclaration(
      "observe", .choices(ObserverPosition.allNames), group: "Frames",
      help: "Positions of frames for a program: \(ObserverPosition.allNames.joined(separator: ", ")); the last "
        + "needs --local"),
    OptionDeclaration(
      "observe-cmd", .text, placeholder: "COMMAND", group: "Frames",
      help: "Program that reads those frames as raw PCM, 16 bits, interleaved; one process per position and source, "
        + "identified by $AUDIOPIPE_POSITION, _UID, _RATE and _CHANNELS; its output goes to stdout, or to stderr if the "
        + "job's own result uses stdout"),
    OptionDeclaration(
      "filter-cmd", .text, placeholder: "COMMAND", group: "Frames",
      help: "Program that replaces the frames of one position; it must answer each frame with as many bytes as it "
        + "received"),
    OptionDeclaration(
      "program-timeout", .number(0.1...3_600, unit: "s"), group: "Frames", default: "5",
      help: "Longest wait for a program: a filter that has not answered a frame ends the job, a reader is named in a "
        + "warning"),
  ]

  private static let resultOptions = [
    OptionDeclaration(
      "report", .file, group: "Results",
      help: "Write a JSON report; with several inputs, one per input as REPORT.IN.json"),
    OptionDeclaration(
      "csv", .file, group: "Results",
      help: "Write tables of volume, pitch (of the first speaker's sent sound) and loudness over time, with the kind "
        + "before the extension, such as out.pitch.csv"),
  ]

  private static let runningOptions = [
    OptionDeclaration(
      "json-lines", group: "Results", help: "Write events to stdout as they happen, one JSON object per line"),
    OptionDeclaration(
      "progress", .choice(ProgressMode.allCases.map(\.rawValue)), group: "Results", default: "auto",
      help: "Form of progress; auto is a bar on a terminal, otherwise a line every 10 s"),
    OptionDeclaration(
      "dry-run", group: "Running", help: "Print graph, formats, latency and outputs; write nothing"),
    JobCount.option(group: "Running"),
    OptionDeclaration(
      "realtime", group: "Running", help: "Run in real time instead of as fast as possible"),
  ]
}
