import RTP
import TestSupport
import Testing

@testable import EncodedAudio

@Suite("the window of packets that wait", .timeLimit(.minutes(10)))
struct PacketWindowTests {
  private func packet(_ number: Int) -> EncodedPacket {
    let format = try! [UInt8(0xF8)].withUnsafeBytes { try OpusPayload(parsing: $0) }
    return EncodedPacket(
      payload: [0xF8, UInt8(truncatingIfNeeded: number)], format, timestamp: number * 960, sequenceNumber: number,
      level: nil, arrivalNanoseconds: 0)
  }

  private func drain(_ window: inout PacketWindow, _ now: Int) -> [(number: Int, lost: Int)] {
    var taken: [(Int, Int)] = []
    while let next = window.take(now) { taken.append((next.packet?.sequenceNumber ?? -1, next.lostCount)) }
    return taken
  }

  @Test("packets in order leave at once")
  func order() {
    var window = PacketWindow(waitNanoseconds: 200)
    for number in 100..<400 {
      #expect(window.insert(number, packet(number), arrival: number) == .kept(isReordered: false))
      let taken = drain(&window, number)
      #expect(taken.count == 1 && taken[0] == (number, 0))
      #expect(!window.hasGap)
    }
  }

  @Test("a gap is given up when the first packet behind it has waited")
  func gap() {
    var window = PacketWindow(waitNanoseconds: 200)
    _ = window.insert(5, packet(5), arrival: 0)
    #expect(drain(&window, 0).count == 1)
    _ = window.insert(8, packet(8), arrival: 60)
    _ = window.insert(9, packet(9), arrival: 80)
    #expect(window.deadlineNanoseconds == 260)
    #expect(drain(&window, 259).isEmpty)
    // A packet of the gap does not begin the wait again.
    #expect(window.insert(7, packet(7), arrival: 200) == .kept(isReordered: true))
    #expect(window.deadlineNanoseconds == 260 && drain(&window, 259).isEmpty)
    #expect(drain(&window, 260).map(\.number) == [7, 8, 9])
    #expect(window.insert(6, packet(6), arrival: 261) == .late)
    #expect(window.insert(7, packet(7), arrival: 261) == .duplicate)
  }

  @Test("a duplicate is recognized while it waits and after it has left")
  func duplicates() {
    var window = PacketWindow(waitNanoseconds: 200)
    _ = window.insert(1, packet(1), arrival: 0)
    _ = drain(&window, 0)
    #expect(window.insert(1, packet(1), arrival: 0) == .duplicate)
    _ = window.insert(3, packet(3), arrival: 0)
    #expect(window.insert(3, packet(3), arrival: 0) == .duplicate)
  }

  @Test("random orders come out sorted, with each loss counted", arguments: 0..<20)
  func random(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var window = PacketWindow(waitNanoseconds: 1_000)
    // Each is late by up to 500 ns, its neighbours come every 20 ns; one in ten is lost.
    let sent = (0..<2_000).filter { $0 == 0 || Int.random(in: 0..<10, using: &generator) > 0 }
    let arrivals = sent.map { number in
      (number: number, time: number == 0 ? 0 : number * 20 + Int.random(in: 0..<500, using: &generator))
    }.sorted { ($0.time, $0.number) < ($1.time, $1.number) }
    var taken: [(number: Int, lost: Int)] = []
    for (number, time) in arrivals {
      taken += drain(&window, time)
      while !window.hasPlace(for: number) {
        let next = window.take(time, isForced: true)!
        taken.append((next.packet!.sequenceNumber, next.lostCount))
      }
      _ = window.insert(number, packet(number), arrival: time)
    }
    taken += drain(&window, .max)
    #expect(taken.map(\.number) == sent, "seed \(seed)")
    #expect(taken.map(\.lost).reduce(0, +) == sent.last! + 1 - sent.count, "seed \(seed)")
    for (before, after) in zip(taken, taken.dropFirst()) { #expect(after.lost == after.number - before.number - 1) }
  }
}
