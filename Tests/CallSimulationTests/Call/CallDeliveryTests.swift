import AudioGraph
import CallSimulation
import Engine
import FrameObservers
import MediaStreams
import NetworkSimulation
import OpusCodec
import TestSupport
import Testing

/// The reports that a sender gets while nobody hears it.
@Suite(.timeLimit(.minutes(10))) struct CallDeliveryTests {
  private let files = CallFiles()

  /// Talk in which all is lost for a while, one way or both ways.
  private func run(oneWay: Bool, outage: Range<Double> = 5..<25, seconds: Int = 35, adapts: Bool = false) throws
    -> [SimulationEvent]
  {
    var call = SimulatedCall(
      users: [], conditions: try NetworkConditions(delay: .milliseconds(30)), codec: .null(.milliseconds20),
      durationSeconds: Double(seconds), logsStatistics: true)
    if adapts {
      call.codec = .opus(OpusOptions(complexity: 0))
      call.adapts = true
    }
    for uid in 1...UInt32(2) {
      call.users.append(
        CallUser(uid: uid, path: try files.voice("\(uid).wav", seed: UInt64(uid), seconds: Double(seconds))))
    }
    let way = oneWay ? "\"from\": 1, \"to\": 2," : ""
    call.script = try CallScript(
      parsing: """
        {"schema": 1, "events": [
          {"time_s": \(outage.lowerBound), "name": "network", \(way) "loss_percent": 100},
          {"time_s": \(outage.upperBound), "name": "network", \(way) "loss_percent": 0}]}
        """
    ) { _ in throw CancellationError() }
    return try call.run().events
  }

  /// What user 1 was told: of its own way, and of user 2.
  private func told(_ events: [SimulationEvent]) -> [(seconds: Double, own: NetworkQualityReport, loss: Double?)] {
    var losses: [Double: Double?] = [:]
    for event in events {
      if case .pipeline(.localAudioStatistics(let local), user: 1) = event.kind { losses[event.seconds] = local.loss }
    }
    return events.compactMap { event in
      guard case .pipeline(.networkQuality(let report), user: 1) = event.kind, report.uid == 0 else { return nil }
      return (event.seconds, report, losses[event.seconds] ?? nil)
    }
  }

  @Test("an unheard sender is notified within 3 s, and only while it lasts", .shows("D10"))
  func oneWay() throws {
    let told = told(try run(oneWay: true))
    #expect(told.count == 17)
    for (seconds, own, loss) in told {
      let (tx, rx) = (own.sent, own.received)
      #expect(rx == .excellent, "\(seconds)")
      if seconds < 5.5 || seconds > 27.5 {
        #expect(tx == .excellent && loss == 0, "\(seconds): \(tx) \(String(describing: loss))")
      }
      if seconds > 7.5, seconds < 25 {
        #expect(tx == .down && loss == 1, "\(seconds): \(tx) \(String(describing: loss))")
      }
    }
  }

  @Test("without any reports the path is down and its loss unknown", .shows("D10"))
  func bothWays() throws {
    let told = told(try run(oneWay: false))
    for (seconds, own, loss) in told where seconds > 9.5 && seconds < 25 {
      #expect(own.sent == .down && loss == nil, "\(seconds): \(own) \(String(describing: loss))")
    }
    for (seconds, own, loss) in told where seconds > 27.5 { #expect(own.sent == .excellent && loss == 0, "\(seconds)") }
  }

  @Test(
    "an outage appears in the sender's losses at any time between reports", .shows("D9"),
    arguments: [(true, 0.5), (true, 1), (false, 1), (false, 2), (false, 5)])
  func short(oneWay: Bool, length: Double) throws {
    for begin in stride(from: 10, to: 12, by: 0.25) {
      let told = told(try run(oneWay: oneWay, outage: begin..<begin + length, seconds: 26))
      let sum = told.reduce(0) { $0 + ($1.loss ?? 0) }
      // What is told in an interval has become due in it, in the outage, and from one report to the next before that.
      #expect(sum > 0.95 * length / (length + 3.5) && sum < 1.25 * length, "\(begin): \(told.map(\.loss))")
      #expect(told.filter { $0.seconds < 10 || $0.seconds > begin + length + 4 }.allSatisfy { $0.loss == 0 })
    }
  }

  @Test(
    "a listener's statistics show an outage in its intervals of 2 s",
    .shows("D12"),
    arguments: [false, true])
  func listener(adapts: Bool) throws {
    let events = try run(oneWay: true, adapts: adapts)
    let told = events.compactMap { event -> (Double, RemoteAudioStatistics)? in
      guard case .pipeline(.remoteAudioStatistics(let user), user: 2) = event.kind else { return nil }
      return (event.seconds, user)
    }
    #expect(told.count == 17)
    for (seconds, user) in told {
      if seconds < 5 || seconds > 26.5 { #expect(user.quality == .excellent && user.loss == 0, "\(seconds): \(user)") }
      // The stream ends 15 s after its last packet.
      if seconds > 7, seconds < 20 {
        #expect(user.quality == .down && user.loss == 1 && user.mos == 100, "\(seconds): \(user)")
      }
      if seconds > 20.5, seconds < 25 { #expect(user.quality == .unknown && user.loss == nil, "\(seconds): \(user)") }
      // A second of each of these two was the outage's.
      if (5.5...6.5).contains(seconds) || (25.5...26.5).contains(seconds) {
        #expect(
          abs((user.loss ?? 0) - 0.5) < 0.06 && user.quality.rawValue >= NetworkQuality.bad.rawValue,
          "\(seconds): \(user)")
      }
    }
  }

  @Test(
    "a sender adapts during an outage, and not only afterwards", .shows("simulate: reports"),
    arguments: [true, false])
  func adapts(oneWay: Bool) throws {
    let changes = try run(oneWay: oneWay, adapts: true).compactMap { event -> (Double, OpusOptions)? in
      if case .sending(let options, user: 1) = event.kind { return (event.seconds, options) }
      return nil
    }
    let first = try #require(changes.first { $0.0 > 5.5 })
    #expect(first.0 < 11 && first.1.forwardErrorCorrection, "\(first)")
    #expect(changes.contains { $0.0 < 15 && $0.1.bitrate < 32_000 })
    // What was lost in the outage is told of in it, not once more behind it.
    #expect(!changes.contains { $0.0 > 27 && $0.1.bitrate < 24_000 })
    #expect(changes.last?.1.bitrate == 32_000)
  }
}
