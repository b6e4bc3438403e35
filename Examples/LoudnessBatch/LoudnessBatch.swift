import AudioPipe
import ExampleSupport
import Glibc

/// Brings every file of a folder to one loudness, as many at a time as there are processors: a line for each.
///
///     LoudnessBatch FOLDER OUTPUT-FOLDER LUFS
@main
enum LoudnessBatch {
  static func main() async { await Example.run(process) }

  private static func process() async throws {
    let words = CommandLine.arguments
    guard words.count == 4, let loudness = Double(words[3]), let folder = opendir(words[1]) else {
      Example.explain("usage: LoudnessBatch FOLDER OUTPUT-FOLDER LUFS", isError: words.last != "--help")
    }
    mkdir(words[2], 0o777)
    var names: [String] = []
    while let entry = readdir(folder) {
      names.append(withUnsafePointer(to: &entry.pointee.d_name.0) { String(cString: $0) })
    }
    await withTaskGroup(of: String.self) { group in
      for (index, name) in names.filter({ AudioContainer(path: $0) != nil }).sorted().enumerated() {
        if index >= sysconf(Int32(_SC_NPROCESSORS_ONLN)), let line = await group.next() { print(line) }
        group.addTask { level("\(words[1])/\(name)", to: "\(words[2])/\(name)", loudness) }
      }
      for await line in group { print(line) }
    }
  }

  private static func level(_ input: String, to output: String, _ loudness: Double) -> String {
    var job = FileProcessing()
    (job.input, job.output) = (.path(input), .path(output, container: nil))
    job.loudnessTarget = LoudnessTarget(integrated: loudness)
    do {
      guard let result = try job.prepare().run().loudnessTarget else { return "\(input): nobody reads the output" }
      return "\(input): \(Int(result.gain.value.rounded())) dB, \(result.passes) passes, reached: \(result.isReached)"
    } catch { return "\(error)" }
  }
}
