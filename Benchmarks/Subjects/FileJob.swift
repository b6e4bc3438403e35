import AudioGraph
import BenchmarkTwins
import Effects
import Engine
import Glibc
import OfflineProcessing

/// One run over files in a process of its own: this program again, with `--job`.
struct FileJob {
  /// What a run cost.
  struct Cost {
    let cpuSeconds: Double
    /// The most that was resident, in 1024 bytes.
    let anonymousKilobytes: Int
  }

  private static let gain: Float = 0.7
  private static let otherPercent = 30.0

  let input: String
  let other: String
  let output: String
  let worker: Worker

  /// Who does it.
  enum Worker: String {
    /// The whole pipeline.
    case ours
    /// A loop in C that does the same with large blocks.
    case loop
    /// libsndfile, which only reads the input and writes it again, 10 ms a call.
    case copy
    /// ffmpeg, which does about the same.
    case ffmpeg
  }

  init(input: String, other: String, output: String, worker: Worker) {
    self.input = input
    self.other = other
    self.output = output
    self.worker = worker
  }

  /// The job behind the arguments of such a process; nil when they are something else.
  init?(_ arguments: [String]) {
    guard arguments.count == 5, arguments[0] == "--job", let worker = Worker(rawValue: arguments[1]) else { return nil }
    self.init(input: arguments[2], other: arguments[3], output: arguments[4], worker: worker)
  }

  /// Runs the job here and prints what it cost.
  func run() throws {
    var kilobytes = 0
    switch worker {
    case .ours: kilobytes = try process()
    case .loop:
      guard twin_mix_files(input, other, output, Self.gain, Self.gain * Float(0.5).squareRoot(), 0.3) == 0 else {
        throw WrongResult("the loop fails: \(String(cString: strerror(errno)))")
      }
    case .copy: guard twin_copy_file(input, output) == 0 else { throw WrongResult("libsndfile fails") }
    case .ffmpeg:
      let mix = "[0]volume=0.7[a];[1]volume=0.3[b];[a][b]amix=inputs=2:normalize=0,pan=stereo|c0=c0+0.7*c1|c1=0.7*c1"
      let command = "exec ffmpeg -v error -y -i \(input) -i \(other) -filter_complex '\(mix)' \(output)"
      guard system(command) == 0 else { throw WrongResult("ffmpeg fails") }
    }
    var usage = rusage()
    let whom = worker == .ffmpeg ? RUSAGE_CHILDREN : RUSAGE_SELF
    getrusage(__rusage_who_t(whom.rawValue), &usage)
    let micros =
      (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1_000_000
      + usage.ru_utime.tv_usec + usage.ru_stime.tv_usec
    print("\(micros) \(kilobytes)")
  }

  /// Returns: the most memory that was resident.
  private func process() throws -> Int {
    var job = FileProcessing()
    job.input = .path(input)
    job.output = .path(output, container: nil)
    job.overwrite = true
    job.gain = Decibels(linearGain: Self.gain)
    job.panning = try Panning(-0.5)
    job.music = .init(path: other, volume: try Volume(Self.otherPercent))
    let prepared = try job.prepare()
    var calls = 0
    var kilobytes = 0
    let result = try prepared.run(progress: { _, _ in
      // A look at the memory takes as long as the work between two of them.
      calls += 1
      if calls % 64 == 1 { kilobytes = max(kilobytes, Self.anonymousKilobytes()) }
    })
    guard result.ledger.imbalance() == 0, result.ledger.dropped == 0 else {
      throw WrongResult("the ledger does not close: \(result.ledger)")
    }
    return max(kilobytes, Self.anonymousKilobytes())
  }

  /// Runs the job in a new process and waits for it.
  func spawn() throws -> Cost {
    let command = "'\(Self.ownPath())' --job \(worker.rawValue) \(input) \(other) \(output)"
    guard let pipe = popen(command, "r") else {
      throw WrongResult("no process can be made")
    }
    var line = [CChar](repeating: 0, count: 200)
    let isRead = fgets(&line, Int32(line.count), pipe) != nil
    let status = pclose(pipe)
    let text = String(decoding: line.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let fields = text.split(separator: " ").compactMap { Int(String($0)) }
    guard isRead, status == 0, fields.count == 2 else { throw WrongResult("the job fails with status \(status)") }
    return Cost(cpuSeconds: Double(fields[0]) / 1e6, anonymousKilobytes: fields[1])
  }

  private static func ownPath() -> String {
    var path = [CChar](repeating: 0, count: 4_096)
    let count = readlink("/proc/self/exe", &path, path.count - 1)
    return String(decoding: path.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private static func anonymousKilobytes() -> Int {
    guard let file = fopen("/proc/self/status", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 200)
    while fgets(&line, Int32(line.count), file) != nil {
      let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      if text.hasPrefix("RssAnon:") { return text.split { !$0.isNumber }.first.flatMap { Int(String($0)) } ?? 0 }
    }
    return 0
  }
}
