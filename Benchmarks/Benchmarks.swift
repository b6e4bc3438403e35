import Glibc

/// Measures what the package costs, beside the same work in C and C++ in the same run.
///
///     Benchmarks [--quick] [--filter TEXT] [--json FILE]     measure and print; 1 when a target is missed, unless quick
///     Benchmarks baseline FILE                               measure and keep the ratios
///     Benchmarks check FILE [--tolerance 0.25]               measure and compare; 1 when something got worse
///
/// The figures depend on the machine; the ratios hardly do, since ours and the twin's turns alternate.
@main
enum Benchmarks {
  private static let subjects: [(name: String, about: String, run: @Sendable (Bench) throws -> Void)] = [
    ("ring", "rings between threads", RingSubject.run),
    ("samples", "conversions and sums of samples", SampleSubject.run),
    ("mixing", "gains, pans and mixing of many sources", MixingSubject.run),
    ("graph", "plans: what a tick, a change and a delay cost", GraphSubject.run),
    ("observers", "observers at every position, converted and not", ObserverSubject.run),
    ("limiter", "the limiter, idle and at work", LimiterSubject.run),
    ("sounds", "effects and music that play at once", SoundSubject.run),
    ("pitch", "pitch detection: its errors and its time", PitchSubject.run),
    ("pitch-shift", "shifts of pitch by mode and ratio", PitchShiftSubject.run),
    ("voice-only", "the voice-only mode", VoiceOnlySubject.run),
    ("level", "the volume track", LevelSubject.run),
    ("opus", "encoding and decoding", OpusSubject.run),
    ("receiver", "packets to frames", ReceiverSubject.run),
    ("room", "a pipeline that hears hundreds of users", RoomSubject.run),
    ("session", "RTP and RTCP, plain and protected", SessionSubject.run),
    ("relay", "encrypted packets to the listeners of a channel", RelaySubject.run),
    ("devices", "sound devices with clocks that drift", DeviceSubject.run),
    ("files", "reading, writing and whole jobs", FileSubject.run),
  ]

  private static var help: String {
    let width = subjects.map(\.name.count).max()! + 2
    let groups = subjects.map { "  \($0.name)\(String(repeating: " ", count: width - $0.name.count))\($0.about)" }
    return """
      Measures what the package costs, beside the same work in C and C++ in the same run.

        Benchmarks [OPTIONS]                 measure and print; 1 when a target is missed, unless quick
        Benchmarks [OPTIONS] baseline FILE   measure and keep the ratios
        Benchmarks [OPTIONS] check FILE      measure and compare; 1 when something got worse

      Options:
        --filter TEXT     only figures whose name, 'GROUP: WHAT', has TEXT in it: 'pitch: ' is the group pitch alone
        --quick           a tenth of the samples, and short files
        --long            ten hours of sound besides the hour
        --json FILE       write the figures to FILE too
        --tolerance SHARE by how much a ratio may be worse than the baseline's (0.25)

      Groups:
      \(groups.joined(separator: "\n"))
      """
  }

  static func main() {
    do {
      let arguments = Array(CommandLine.arguments.dropFirst())
      if arguments.contains("--help") || arguments.contains("-h") { return print(help) }
      if let job = FileJob(arguments) { return try job.run() }
      try measure(try BenchOptions(arguments))
    } catch {
      TextFile.complain("Benchmarks: \(error)")
      exit(error is UsageError ? 64 : 1)
    }
  }

  private static func measure(_ options: BenchOptions) throws {
    let bench = Bench(options)
    FigureTable.printHead()
    for subject in subjects {
      bench.begin(subject.name)
      try subject.run(bench)
    }
    if let path = options.jsonPath { try TextFile.write(FigureJSON.text(bench.figures), to: path) }
    switch options.mode {
    case .measure:
      // A tenth of the work says too little to be a verdict.
      let missed = bench.figures.filter { !$0.keepsTarget }
      guard !missed.isEmpty, !options.isQuick else { break }
      for figure in missed { print("MISSED  \(figure.name)") }
      exit(1)
    case .baseline(let path):
      try TextFile.write(Baseline(bench.figures).text, to: path)
    case .check(let path):
      let worse = try Baseline(parsing: TextFile.read(path)).complaints(
        about: bench.figures, tolerance: options.tolerance)
      for line in worse { print("WORSE  \(line)") }
      if !worse.isEmpty { exit(1) }
    }
  }
}
