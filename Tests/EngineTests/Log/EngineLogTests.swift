import Engine
import FileTestSupport
import Glibc
import GraphTestSupport
import Platform
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct EngineLogTests {
  private let files = TestFiles()

  private func lines(_ path: String) -> [Substring] {
    String(decoding: files.bytes(path), as: UTF8.self).split(separator: "\n")
  }

  @Test("each log filter has its SDK number and passes its levels", .shows("L1"))
  func filters() {
    let numbers: [(LogFilter, Int, [LogLevel])] = [
      (.off, 0, []), (.critical, 0x8, [.critical]), (.error, 0xc, [.critical, .error]),
      (.warn, 0xe, [.critical, .error, .warn]), (.info, 0xf, [.critical, .error, .warn, .info]),
      (.debug, 0x80f, LogLevel.allCases),
    ]
    for (filter, number, levels) in numbers {
      #expect(filter.rawValue == number)
      #expect(LogLevel.allCases.filter(filter.contains) == levels)
    }
  }

  @Test("the log has a line with time and level for each call and error", .shows("L1"))
  func content() throws {
    let path = files.path("Prüfung.log")
    let pipeline = try AudioPipeline(mode: .offline, channelCount: 1)
    try pipeline.setLogFile(path)
    try pipeline.addRemoteUser(7, from: try PlaneSource([seededNoise(count: 9_600, seed: 1)]))
    #expect(throws: EngineError.self) { try pipeline.removeUser(8) }
    try pipeline.enableAudioVolumeIndication(interval: 100)
    try pipeline.runToEnd()
    let info = lines(path)
    let time =
      /^20\d\d-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-6]\d\.\d{3}Z (critical|error   |warn    |info    |debug   ) .+$/
    #expect(info.allSatisfy { $0.wholeMatch(of: time) != nil })
    #expect(info.first?.contains("info     audiopipe \(AudioPipeline.sdkVersion), 48000 Hz, 1 channels") == true)
    #expect(info.contains { $0.contains("info     addRemoteUser(_:from:options:) at tick 0") })
    #expect(info.contains { $0.contains("error    users.remove at tick 0: -2, the pipeline has no user 8") })
    #expect(!info.contains { $0.contains("volumes") })
  }

  @Test("a log filter selects reports, calls and errors; nil ends the log", .shows("L1"))
  func levels() throws {
    for (filter, hasReports, hasCalls, hasErrors) in [
      (LogFilter.debug, true, true, true), (.error, false, false, true), (.off, false, false, false),
    ] {
      let path = files.path("level-\(filter.rawValue).log")
      let pipeline = try AudioPipeline(mode: .offline, channelCount: 1)
      pipeline.setLogFilter(filter)
      try pipeline.setLogFile(path)
      try pipeline.addRemoteUser(7, from: try PlaneSource([seededNoise(count: 9_600, seed: 1)]))
      #expect(throws: EngineError.self) { try pipeline.removeUser(8) }
      try pipeline.enableAudioVolumeIndication(interval: 100)
      try pipeline.runToEnd()
      let text = lines(path)
      #expect(text.contains { $0.contains("volumes") } == hasReports)
      #expect(text.contains { $0.contains("addRemoteUser") } == hasCalls)
      #expect(text.contains { $0.contains("users.remove") } == hasErrors)
      try pipeline.setLogFile(nil)
      let count = text.count
      #expect(throws: EngineError.self) { try pipeline.removeUser(8) }
      #expect(lines(path).count == count)
    }
  }

  @Test("a log file in a missing folder is refused, and the log continues", .shows("L1"))
  func refusal() throws {
    let path = files.path("kept.log")
    let pipeline = try AudioPipeline(channelCount: 1)
    try pipeline.setLogFile(path)
    let error = #expect(throws: EngineError.self) { try pipeline.setLogFile("\(files.folder)/none/a.log") }
    #expect(error?.code == .invalidArgument)
    #expect(error?.message.contains("its folder does not exist") == true)
    #expect(throws: EngineError.self) { try pipeline.removeUser(8) }
    #expect(lines(path).count == 2)
  }
}
