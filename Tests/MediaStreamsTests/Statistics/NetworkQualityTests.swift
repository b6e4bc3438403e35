import TestSupport
import Testing

@testable import MediaStreams

@Suite(.timeLimit(.minutes(10))) struct NetworkQualityTests {
  /// One thing that gets worse and then better, in steps that lie within the published limits.
  enum Sweep: CaseIterable, Sendable {
    case loss
    case roundTrip
    case jitter
    case bitrate

    var grades: [NetworkQuality] {
      switch self {
      case .loss: [0, 0.03, 0.08, 0.15, 0.35, 0.8].map { NetworkQuality(loss: $0) }
      case .roundTrip:
        [40, 250, 400, 700, 2_000, 5_000].map { NetworkQuality(loss: 0, roundTripMilliseconds: $0) }
      case .jitter: [5, 30, 60, 120, 500, 2_000].map { NetworkQuality(loss: 0, jitterMilliseconds: $0) }
      case .bitrate: [1, 0.8, 0.6, 0.3, 0.15, 0].map { NetworkQuality(loss: 0, bitrateShare: $0) }
      }
    }
  }

  @Test(
    "as one condition worsens each grade from 1 to 6 is visited in order", .shows("D10"), arguments: Sweep.allCases)
  func sweep(_ sweep: Sweep) { #expect(sweep.grades.map(\.rawValue) == [1, 2, 3, 4, 5, 6]) }

  @Test("a limit belongs to the better grade, a value beyond to the next")
  func limits() {
    for limits in NetworkQualityLimits.all {
      let next = NetworkQuality(rawValue: limits.quality.rawValue + 1)
      #expect(NetworkQuality(loss: limits.loss) == limits.quality)
      #expect(NetworkQuality(loss: limits.loss * 1.001) == next)
      #expect(NetworkQuality(roundTripMilliseconds: limits.roundTripMilliseconds * 1.001) == next)
      #expect(NetworkQuality(jitterMilliseconds: limits.jitterMilliseconds * 1.001) == next)
      #expect(NetworkQuality(bitrateShare: limits.bitrateShare * 0.999) == next)
    }
  }

  @Test("the worst measurement decides, and unknown ones do not count")
  func worst() {
    #expect(NetworkQuality() == .unknown)
    #expect(NetworkQuality(loss: 0.03, roundTripMilliseconds: 900, jitterMilliseconds: 1) == .veryBad)
    #expect(NetworkQuality(loss: 0, roundTripMilliseconds: nil, jitterMilliseconds: 50, bitrateShare: 0.8) == .poor)
  }

  @Test("relay feedback precedes the users' mean, and expires after 15 s")
  func feedback() {
    let (one, two) = (LinkFeedbackSource.user(uid: 1, channelID: ""), LinkFeedbackSource.user(uid: 2, channelID: ""))
    var table = LinkFeedbackTable()
    #expect(table.ownWay(atTick: 0) == LinkFeedback())
    table.set(LinkFeedback(sentLoss: 0.1, roundTripMilliseconds: 40), from: one, tick: 100)
    table.set(LinkFeedback(sentLoss: 0.3), from: two, tick: 200)
    #expect(table.ownWay(atTick: 200) == LinkFeedback(sentLoss: 0.2, roundTripMilliseconds: 40))
    #expect(table.ownWay(atTick: 1_650) == LinkFeedback(sentLoss: 0.3))
    #expect(table.feedback(from: two, atTick: 1_699).sentLoss == 0.3)
    #expect(table.feedback(from: two, atTick: 1_700) == LinkFeedback())
    table.set(LinkFeedback(sentLoss: 0, roundTripMilliseconds: 9), from: .relay, tick: 300)
    #expect(table.ownWay(atTick: 300) == LinkFeedback(sentLoss: 0, roundTripMilliseconds: 9))
    table.set(nil, from: .relay, tick: 301)
    #expect(table.ownWay(atTick: 301).sentLoss == 0.2)
  }
}
