import Glibc

/// Measures what the package costs, beside the same work in C and C++ in the same run.
///
///     Benchmarks [--quick] [--filter TEXT] [--json FILE]     measure and print
///     Benchmarks baseline FILE                               measure and keep the ratios
///     Benchmarks check FILE [--tolerance 0.25]               measure and compare; 1 when something got worse
///
/// The figures depend on the machine; the ratios hardly do, since ours and the twin's turns alternate.
@main
enum Benchmarks {
  private static let subjects: [(name: String, run: @Sendable (Bench) throws -> Void)] = [
    ("ring", RingSubject.run), ("samples", SampleSubject.run), ("mixing", MixingSubject.run),
    ("graph", GraphSubject.run), ("observers", ObserverSubject.run), ("limiter", LimiterSubject.run),
    ("sounds", SoundSubject.run), ("pitch", PitchSubject.run), ("pitch-shift", PitchShiftSubject.run),
    ("voice-only", VoiceOnlySubject.run),
    ("level", LevelSubject.run), ("opus", OpusSubject.run), ("receiver", ReceiverSubject.run),
    ("session", SessionSubject.run),
    ("files", FileSubject.run),
  ]

  static func main() {
    do {
      let arguments = Array(CommandLine.arguments.dropFirst())
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
    case .measure: break
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
