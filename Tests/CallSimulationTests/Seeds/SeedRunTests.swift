import Foundation
import MediaStreams
import NetworkSimulation
import OpusCodec
import Platform
import TestSupport
import Testing

@testable import CallSimulation

/// The choice of seeds, the points that they reach, and the order of one moment.
@Suite(.timeLimit(.minutes(10))) struct SeedRunTests {
  private let calls = ChannelCalls()

  @Test(
    "a choice of seeds is a number or a range",
    arguments: [
      ("1000", 1...1_000), ("7-9", 7...9), ("5-5", 5...5), ("0", nil), ("9-7", nil), ("-3", nil), ("1-2-3", nil),
      ("ten", nil), ("", nil),
    ] as [(String, ClosedRange<Int>?)])
  func choices(_ text: String, _ expected: ClosedRange<Int>?) { #expect(SeedChoice.range(text) == expected) }

  @Test("a point that no call has reached is named behind the last call", .shows("simulate: seeds"))
  func missingPoints() {
    let reach = SeedReach(caseCount: 2)
    #expect(reach.note([.userDropped], of: "1") == nil)
    let missing = reach.note([.userDropped, .connectionLost], of: "2")
    #expect(missing == ReachPoint.allCases.filter { ![.userDropped, .connectionLost].contains($0) })
    #expect(reach.report.contains("reach: 2 \(ReachPoint.userDropped) (1 2)"))
  }

  @Test("a call reports its own points, not those of the call before", .shows("simulate: seeds"))
  func pointsOfCall() throws {
    let cut = try call(events: ChannelCalls.cut(1, at: 3, seconds: 6)).run()
    #expect(cut.reachPoints.contains(.connectionInterrupted))
    #expect(try !call().run().reachPoints.contains(.connectionInterrupted))
  }

  @Test("a seed orders the work of one moment, and each order comes", .shows("simulate: seeds"))
  func orders() {
    let work: [MomentWork] = [.relay, .datagrams(0), .user(0), .user(1)]
    var orders: Set<[MomentWork]> = []
    for seed: UInt64 in 1...500 {
      for now in 0..<3 {
        let order = MomentOrder(seed: seed).order(work, nowNanoseconds: now)
        #expect(MomentOrder(seed: seed).order(work, nowNanoseconds: now) == order, "seed \(seed)")
        #expect(Set(order) == Set(work), "seed \(seed)")
        orders.insert(order)
      }
    }
    #expect(orders.count == 24)
  }

  @Test("other work of the moment does not change the order of two")
  func independent() {
    let work = (0..<4).flatMap { [MomentWork.datagrams($0), .messages($0), .user($0)] } + [.relay]
    for seed: UInt64 in 1...20 {
      let order = MomentOrder(seed: seed)
      let all = order.order(work, nowNanoseconds: 10_000_000)
      for without in work {
        let rest = order.order(work.filter { $0 != without }, nowNanoseconds: 10_000_000)
        #expect(rest == all.filter { $0 != without }, "seed \(seed)")
      }
    }
  }

  /// All users tick at once, and every path takes 20 ms: nearly every moment has work of several users.
  @Test("two calls of one seed send equal bytes, in the order of the seed", .shows("simulate: seeds"))
  func equalBytes() throws {
    let captures = try [5, 5, 6].enumerated().map { index, seed in
      var call = try call(conditions: ChannelCalls.delay(20))
      let path = calls.files.path("\(index).pcap")
      call.seed = UInt64(seed)
      call.seedsEncryption = true
      call.outputs.capturePath = path
      _ = try call.run()
      return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    }
    #expect(captures[0].count > 100_000 && captures[0] == captures[1])
    // Users send together each 20 ms; the seed alone says which is the first.
    let orders = captures.map(Self.senders)
    #expect(orders[0].count > 500 && orders[0].prefix(500) != orders[2].prefix(500))
    #expect(orders[0].prefix(500).sorted() != Array(orders[0].prefix(500)))
  }

  /// Host numbers of the users whose packets are in a capture of UDP over IPv4, in order.
  private static func senders(_ capture: [UInt8]) -> [UInt8] {
    var (position, senders) = (24, [UInt8]())
    while position + 16 <= capture.count {
      let byteCount = Int(capture[position + 8]) | Int(capture[position + 9]) << 8
      // The source's address is at byte 12 behind the record's header of 16 bytes; users are in network 10.
      if capture[position + 28] == 10 { senders.append(capture[position + 31]) }
      position += 16 + byteCount
    }
    return senders
  }

  private func call(conditions: NetworkConditions = .perfect, events: String = "") throws -> SimulatedCall {
    var call = try calls.call(3, seconds: 12, conditions: conditions, events: events)
    call.codec = .null(.milliseconds20)
    return call
  }
}
