import BenchmarkTwins
import Glibc

/// A file through the whole pipeline, with gain, pan and a second file mixed in: CPU seconds and memory, beside a loop
/// in C that reads, scales, adds up and writes the same files.
///
/// Each run is a process of its own, so that its CPU time and memory are its own.
enum FileSubject {
  static func run(_ bench: Bench) throws {
    // The runs are long: they are left out unless a figure of theirs can be asked for.
    guard bench.options.filter.isEmpty || bench.options.filter.contains("files") else { return }
    let folder = try TemporaryFolder()
    try length(bench, "a minute", seconds: 60, in: folder.path, turns: 5)
    if !bench.options.isQuick { try length(bench, "an hour", seconds: 3_600, in: folder.path, turns: 3) }
    if bench.options.isLong { try length(bench, "ten hours", seconds: 36_000, in: folder.path, turns: 1) }
    withExtendedLifetime(folder) {}
  }

  private static func length(_ bench: Bench, _ name: String, seconds: Int, in folder: String, turns: Int) throws {
    let job = FileJob(
      input: "\(folder)/in.wav", other: "\(folder)/other.wav", output: "\(folder)/ours.wav", isTwin: false)
    let twin = FileJob(
      input: job.input, other: job.other, output: "\(folder)/twin.wav", isTwin: true)
    // Ten hours are holes in a file, so that no disk is too small for them.
    let isHollow = seconds > 3_600
    try StereoFile.make(job.input, seconds: seconds, peak: 0.6, isHollow: isHollow)
    try StereoFile.make(job.other, seconds: seconds, peak: 0.4, isHollow: isHollow)
    var (ours, theirs, ratios): ([Double], [Double], [Double]) = ([], [], [])
    var kilobytes = 0
    for turn in 0..<turns {
      // Freeing an older file's pages would count as the run's own time.
      unlink(job.output)
      unlink(twin.output)
      let first = try (turn % 2 == 0 ? job : twin).spawn()
      let second = try (turn % 2 == 0 ? twin : job).spawn()
      let (mine, other) = turn % 2 == 0 ? (first, second) : (second, first)
      ours.append(mine.cpuSeconds)
      theirs.append(other.cpuSeconds)
      ratios.append(mine.cpuSeconds / other.cpuSeconds)
      kilobytes = max(kilobytes, mine.anonymousKilobytes)
    }
    if turns > 1 {
      try bench.check(try StereoFile.isNear(job.output, twin.output, seconds: seconds), "the files differ")
    }
    unlink(job.output)
    unlink(twin.output)
    bench.note(
      "\(name) of 48 kHz stereo, gain, pan, mix", Bench.quantile(0.5, of: ours), unit: "CPU s",
      target: seconds == 3_600 ? 1.5 : nil)
    bench.note(
      "\(name), CPU beside C", Bench.quantile(0.5, of: ours), unit: "CPU s", besides: Bench.quantile(0.5, of: theirs),
      of: "C loop over the files")
    bench.note("\(name), anonymous memory", Double(kilobytes) / 1_024, unit: "MB", target: 12)
  }
}
