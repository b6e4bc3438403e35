import AudioPipe
import Glibc

/// Brings every file of a folder to one loudness, as many at a time as there are processors: a line for each.
///
///     LoudnessBatch FOLDER OUTPUT-FOLDER LUFS
@main
enum LoudnessBatch {
  static func main() async { await Program.run(process) }

  private static func process() async throws {
    let words = CommandLine.arguments
    guard words.count == 4, let loudness = Double(words[3]), let folder = opendir(words[1]) else {
      Program.showUsage("usage: LoudnessBatch FOLDER OUTPUT-FOLDER LUFS")
    }
    mkdir(words[2], 0o777)
    var names: [String] = []
    while let entry = readdir(folder) {
      names.append(withUnsafePointer(to: &entry.pointee.d_name.0) { String(cString: $0) })
    }
    names = names.filter { AudioContainer(path: $0) != nil }.sorted()
    let jobs = names.map { name in
      var job = FileProcessing()
      (job.input, job.output) = (.path("\(words[1])/\(name)"), .path("\(words[2])/\(name)", container: nil))
      job.loudnessTarget = LoudnessTarget(integrated: loudness)
      return job
    }
    for await case .ended(let index, let result) in FileProcessing.run(jobs) {
      do {
        let copy = try result.get()
        guard !copy.isCancelled, let level = copy.loudnessTarget else { continue }
        let gain = Int(level.gain.value.rounded())
        print("\(names[index]): \(gain) dB, \(level.passes) passes, reached: \(level.isReached)")
      } catch { print("\(names[index]): \(error)") }
    }
  }
}
