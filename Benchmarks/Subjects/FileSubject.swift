import BenchmarkTwins
import Glibc

/// A file through the whole pipeline, with gain, pan and a second file mixed in: CPU seconds and memory, beside a loop
/// in C that reads, scales, adds up and writes the same files, beside libsndfile that only copies the first, and beside
/// ffmpeg. Ours is the whole job as the command line does it, dither and limiter included.
///
/// Each run is a process of its own, so that its CPU time and memory are its own.
enum FileSubject {
  static func run(_ bench: Bench) throws {
    // The runs are long: they are left out unless a figure of theirs can be asked for.
    guard bench.options.filter.isEmpty || bench.options.filter.contains("files") else { return }
    let folder = try TemporaryFolder()
    try length(bench, "a minute", seconds: 60, in: folder.path, turns: 5)
    if !bench.options.isQuick { try length(bench, "an hour", seconds: 3_600, in: folder.path, turns: 5) }
    if bench.options.isLong { try length(bench, "ten hours", seconds: 36_000, in: folder.path, turns: 1) }
    withExtendedLifetime(folder) {}
  }

  private static func length(_ bench: Bench, _ name: String, seconds: Int, in folder: String, turns: Int) throws {
    func job(_ worker: FileJob.Worker) -> FileJob {
      FileJob(
        input: "\(folder)/in.wav", other: "\(folder)/other.wav", output: "\(folder)/\(worker).wav", worker: worker)
    }
    let (ours, loop) = (job(.ours), job(.loop))
    let jobs = [ours, loop, job(.copy), job(.ffmpeg)]
    // Ten hours are holes in a file, so that no disk is too small for them.
    let isHollow = seconds > 3_600
    try StereoFile.make(ours.input, seconds: seconds, peak: 0.6, isHollow: isHollow)
    try StereoFile.make(ours.other, seconds: seconds, peak: 0.4, isHollow: isHollow)
    var costs: [FileJob.Worker: [Double]] = [:]
    var kilobytes = 0
    for turn in 0..<turns {
      // Freeing an older file's pages would count as the run's own time.
      for job in jobs { unlink(job.output) }
      // Who is first finds another state of caches and clocks than who is last.
      for place in jobs.indices {
        let job = jobs[(turn + place) % jobs.count]
        let cost = try job.spawn()
        costs[job.worker, default: []].append(cost.cpuSeconds)
        if job.worker == .ours { kilobytes = max(kilobytes, cost.anonymousKilobytes) }
      }
    }
    // What a system takes for new pages of its file cache varies tenfold on a virtual machine, and only ever adds.
    func least(_ worker: FileJob.Worker) -> Double { costs[worker]!.min()! }
    if turns > 1 {
      try bench.check(try StereoFile.isNear(ours.output, loop.output, seconds: seconds), "the files differ")
    }
    for job in jobs { unlink(job.output) }
    bench.note("\(name) of 48 kHz stereo, gain, pan, mix", least(.ours), unit: "CPU s")
    bench.note(
      "\(name), CPU beside C", least(.ours), unit: "CPU s", besides: least(.loop), of: "C loop over the files")
    // What the hour may cost, 1.5 s, where that copy costs 0.9 s and ffmpeg 5 s.
    bench.note(
      "\(name), CPU beside a copy", least(.ours), unit: "CPU s", besides: least(.copy),
      of: "libsndfile copies the input", target: seconds == 3_600 ? 1.5 / 0.9 : nil)
    bench.note(
      "\(name), CPU beside ffmpeg", least(.ours), unit: "CPU s", besides: least(.ffmpeg), of: "ffmpeg",
      target: seconds == 3_600 ? 1.5 / 5 : nil)
    bench.note("\(name), anonymous memory", Double(kilobytes) / 1_024, unit: "MB", target: 12)
  }
}
