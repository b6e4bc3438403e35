import RelayClient
import Signalling
import TestSupport
import Testing

@testable import RelayLoad

@Suite("shares of a load", .timeLimit(.minutes(10)))
struct LoadShareTests {
  private static func plan(_ publishers: Int, _ listeners: Int, channels: Int) -> LoadPlan {
    LoadPlan(
      relay: "ws://relay.example/", publisherCount: publishers, listenerCount: listeners,
      channels: (0..<channels).map { ChannelName("room\($0)")! }
    ) { _, _, _ in .app(AppID("demo")!) }
  }

  private static func shares(_ plan: LoadPlan, _ count: Int) -> [[Int]] {
    (0..<count).map { index in
      var plan = plan
      plan.share = LoadShare(index: index, count: count)
      return plan.numbers
    }
  }

  @Test(
    "each user is of one process, and the processes are alike",
    arguments: [1, 2, 3, 8], [1, 2, 4, 6])
  func whole(processes: Int, channels: Int) {
    let plan = Self.plan(24, 120, channels: channels)
    let shares = Self.shares(plan, processes)
    #expect(shares.flatMap(\.self).sorted() == Array(0..<144))
    #expect(shares.allSatisfy { $0 == $0.sorted() })
    #expect(shares.allSatisfy { share in share.count { plan.isPublisher($0) } == 24 / processes })
    #expect(shares.allSatisfy { $0.count == 144 / processes })
  }

  @Test(
    "the users of each channel are spread over all processes", .shows("load: processes"), arguments: [1, 2, 3, 4, 6])
  func spread(channels: Int) {
    let plan = Self.plan(0, 120, channels: channels)
    for (index, share) in Self.shares(plan, 4).enumerated() {
      for channel in 0..<channels {
        let count = share.count { plan.channelIndex($0) == channel }
        #expect(abs(count - 120 / channels / 4) <= 1, "process \(index), channel \(channel): \(count)")
      }
    }
  }

  @Test("one publisher and one listener are in two processes")
  func pair() {
    #expect(Self.shares(Self.plan(1, 1, channels: 1), 2) == [[0], [1]])
  }

  @Test("publishers in step share one phase, others are spread over a packet", arguments: [10, 20])
  func phases(milliseconds: Int) {
    var plan = Self.plan(4, 0, channels: 1)
    plan.frameMilliseconds = milliseconds
    let frame = milliseconds * 1_000_000
    let base = 7 * frame
    #expect((0..<4).map { plan.nextPacketNanoseconds(of: $0, from: base) } == (0..<4).map { base + $0 * frame / 4 })
    plan.isInStep = true
    for now in [base + 1, base + frame / 2, base + frame] {
      #expect((0..<4).allSatisfy { plan.nextPacketNanoseconds(of: $0, from: now) == base + frame })
    }
    #expect(plan.nextPacketNanoseconds(of: 3, from: -1) == 0)
  }

  @Test("the distributions of two processes add up to that of all delays", arguments: [UInt64(7), 8, 9])
  func distributions(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var (parts, whole) = ([DelayDistribution(), DelayDistribution()], DelayDistribution())
    for _ in 0..<1_000 {
      let delay = Int.random(in: 1...1_000, using: &random) << Int.random(in: 0...30, using: &random)
      // The second part has small delays alone, and so fewer buckets.
      parts[delay < 1_000_000 ? 1 : Int.random(in: 0...1, using: &random)].add(nanoseconds: delay)
      whole.add(nanoseconds: delay)
    }
    for order in [parts, parts.reversed()] {
      var sum = DelayDistribution()
      for part in order {
        sum.add(
          try #require(DelayDistribution(filled: part.filled, maximumNanoseconds: part.maximumNanoseconds)))
      }
      #expect(sum.count == 1_000 && sum.maximumNanoseconds == whole.maximumNanoseconds, "seed \(seed)")
      #expect(sum.filled.elementsEqual(whole.filled) { $0 == $1 }, "seed \(seed)")
    }
    #expect(DelayDistribution(filled: [(bucket: 1 << 20, count: 1)], maximumNanoseconds: 1) == nil)
    #expect(DelayDistribution(filled: [(bucket: 1, count: -1)], maximumNanoseconds: 1) == nil)
  }

  @Test("the parts of two processes are added, and equal failures become one")
  func parts() throws {
    let full = ChannelError(.refused, "the channel has too many users")
    var (one, other) = (LoadPart(), LoadPart())
    one.counts = try #require(LoadCounts(values: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]))
    other.counts = try #require(LoadCounts(values: [10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110]))
    (one.failures, other.failures) = ([(full, 2)], [(ChannelError(.general, "lost"), 4), (full, 3)])
    (one.joinTimes, other.joinTimes) = ([5], [3, 9])
    (one.threadNanoseconds, other.threadNanoseconds) = (70, 60)
    (one.processNanoseconds, other.processNanoseconds) = (100, 200)
    one.add(other)
    #expect(one.counts.values == [11, 22, 33, 44, 55, 66, 77, 88, 99, 110, 121])
    #expect(one.failures.map(\.count) == [5, 4] && one.failures[0].error == full)
    #expect(one.joinTimes.sorted() == [3, 5, 9])
    #expect(one.threadNanoseconds == 70 && one.processNanoseconds == 300)
    #expect(LoadCounts(values: [1]) == nil)
  }
}
