import AudioFiles
import BatchProcessing
package import CommandLineKit
import Effects
import Engine

/// The options of `batch`: its own, and those of `process` and `analyze` that make sense for many files.
package enum BatchDeclaration {
  /// Options of `process`, under the same names.
  static let processNames = [
    "format", "rate", "channels", "sample-format", "dither", "no-dither", "seed", "no-tags", "loudness-target",
    "true-peak", "gain", "pan", "pitch-mode", "keep-formants", "voice-only", "record-volume", "playback-volume", "mix",
    "effect", "codec",
  ].filter { ProcessDeclaration.process.option(named: $0) != nil }

  /// Option for the pitch of the voice, which `process` calls `--pitch`.
  static let voicePitch = "voice-pitch"

  /// Options that determine the results of a row.
  static let workNames = Set(
    processNames + AnalysisKind.allCases.map(\.rawValue) + [
      voicePitch, "copy", "interval", "tables", "segments", "name",
    ])

  package static let batch = CommandDeclaration(
    name: "batch",
    summary: "Process and measure many files, on one machine or many: resumable, one row of results per file",
    examples: [
      "audiopipe batch list.txt --out-dir out --gain -3 --loudness --pitch --shard 3/16 --jobs 2",
      "audiopipe batch list.txt --out-dir out --merge > results.jsonl",
      "find calls -name '*.wav' | audiopipe batch - --out-dir out --dry-run --shard 1/16",
    ],
    notes: [
      "MANIFEST is a list of paths, a table (CSV) with a header, or JSON lines; '-' is stdin. Keys and columns: path or "
        + "audio_filepath, output (name of the copy), duration in seconds, start or offset in seconds, gain in dB, loudness_target in LUFS. Others are "
        + "ignored. With a start, the row is the part of the file from there, as long as its duration. Relative paths begin at "
        + "the manifest's folder, not at the current one as in an @LIST of process.",
      "A copy is written for --copy, for every option that process has for output and sound, and for rows with a level of "
        + "their own. Rows describe the copy, or else the input. Without --volume, --pitch and --loudness, a batch without "
        + "copies measures everything; one with copies measures duration, RMS, speech share and clipped samples.",
      "The table of a shard is results-IIIII-of-NNNNN.jsonl in the folder of --out-dir, made when all rows are done. Until then, "
        + "and for --merge, the rows are in a .journal beside it. Run again, a worker does the missing rows only.",
      "Without --shard, the shard comes from a Slurm array (SLURM_ARRAY_TASK_ID), or with --shards N from Kubernetes "
        + "(JOB_COMPLETION_INDEX) or AWS Batch (AWS_BATCH_JOB_ARRAY_INDEX, _SIZE). Files are dealt out by duration, the longest first: "
        + "that of the manifest, else of the file's header, else by its size.",
      "Exit code 1: some rows failed, or are missing in --merge. 73: outputs exist already, or another worker has the shard. "
        + "74: the disk is full; run it again with more space.",
    ],
    operands: CommandDeclaration.Operands(kind: .files, placeholder: "MANIFEST", minimum: 1, maximum: 1),
    options: workOptions + outputOptions
      + soundOptions
      + [pitchOption] + measurementOptions + resultOptions + CommonOptions.declarations)

  private static let workOptions = [
    OptionDeclaration("shard", .text, placeholder: "I/N", group: "Work", help: "Do shard I of N only, counted from 1"),
    OptionDeclaration(
      "shards", .integer(1...Shard.most), group: "Work",
      help: "Number of shards, if the environment has this worker's index only, or for --merge"),
    JobCount.option(group: "Work"),
    OptionDeclaration(
      "merge", group: "Work", help: "Write the results of all shards to stdout, in the order of the manifest"),
    OptionDeclaration("retry-failed", group: "Work", help: "Do failed rows again, too"),
    OptionDeclaration("dry-run", group: "Work", help: "Print the shard's files and duration; write nothing"),
  ]

  private static let outputOptions =
    [
      OptionDeclaration(
        "out-dir", .directory, group: "Output", help: "Folder for all results, created if it does not exist"),
      OptionDeclaration(
        "name", .text, placeholder: "TEMPLATE", group: "Output", default: NameTemplate.standard,
        help:
          "Name of an output below that folder; {dir} is the input's folder below the one that all inputs share, {stem} "
          + "its name without extension, {ext} the output's extension, {index} the number of the row"),
      OptionDeclaration("copy", group: "Output", help: "Write a copy even if nothing is changed"),
    ] + ProcessDeclaration.process.options.filter { processNames.contains($0.name) && $0.group == "Output" } + [
      OptionDeclaration(
        "overwrite", group: "Output",
        help: "Replace files from before, and begin again if the results are of other work")
    ]

  private static let soundOptions = ProcessDeclaration.process.options
    .filter { processNames.contains($0.name) && $0.group == "Sound" }
    .map { option in
      OptionDeclaration(
        option.name, short: option.short, option.value, placeholder: option.placeholder,
        isRepeatable: option.isRepeatable, group: option.group, default: option.defaultText,
        help: option.help.replacing("--pitch", with: "--\(voicePitch)"))
    }

  private static let pitchOption = OptionDeclaration(
    voicePitch, .text, placeholder: "RATIO|+Nst", group: "Sound", default: "1",
    help: "Pitch of the voice: a ratio from 0.5 to 2, or semitones such as +3st; the speed is unchanged")

  private static let measurementOptions =
    AnalysisKind.allCases.map { OptionDeclaration($0.rawValue, group: "Measurements", help: $0.help) } + [
      OptionDeclaration(
        "tables", group: "Measurements",
        help: "Write a table over time for each kind of measurement and file, such as NAME.pitch.csv"),
      OptionDeclaration(
        "segments", group: "Measurements",
        help:
          "Cut the segments of speech into files, NAME.segments/0001.wav and so on, and list them in NAME.segments.jsonl; "
          + "short sounds, such as keystrokes, are left out"
      ),
      OptionDeclaration(
        "interval", .integer(10...3_600_000), placeholder: "MS", group: "Measurements", default: "200",
        help: "Duration of one row of the tables in milliseconds, a multiple of 10"),
    ]

  private static let resultOptions = [
    OptionDeclaration(
      "results", .choice(TableFormat.allCases.map(\.rawValue)), group: "Results", default: "jsonl",
      help: "Format of the table of results"),
    OptionDeclaration(
      "json-lines", group: "Results", help: "Write each row to stdout as soon as it is done, one JSON object per line"),
    OptionDeclaration(
      "progress", .choice(ProgressMode.allCases.map(\.rawValue)), group: "Results", default: "auto",
      help: "Form of progress; auto is a bar on a terminal, otherwise a line every 10 s"),
  ]
}
