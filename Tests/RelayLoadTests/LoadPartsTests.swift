import TestSupport
import Testing

@testable import RelayLoad

@Suite("parts of a load", .timeLimit(.minutes(10)))
struct LoadPartsTests {
  @Test("a quantile is within 1 % of the sorted delays", arguments: [UInt64(1), 2, 3])
  func quantiles(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    // From 1 ns to 1000 s, each octave alike.
    let delays = (0..<2_000).map { _ in
      Int.random(in: 1...1_000, using: &random) << Int.random(in: 0...30, using: &random)
    }
    var distribution = DelayDistribution()
    for delay in delays { distribution.add(nanoseconds: delay) }
    let sorted = delays.sorted()
    for quantile in [0.001, 0.5, 0.95, 0.99, 1] {
      let exact = sorted[Int((quantile * 2_000).rounded(.up)) - 1]
      let found = distribution.nanoseconds(atQuantile: quantile)
      #expect(found >= exact && Double(found) <= Double(exact) * 1.01, "seed \(seed): \(quantile)")
    }
    #expect(distribution.maximumNanoseconds == sorted.last)
  }

  @Test("an empty distribution has delays of 0")
  func empty() {
    #expect(DelayDistribution().nanoseconds(atQuantile: 0.99) == 0 && DelayDistribution().count == 0)
  }

  @Test("the agenda gives users in the order of their times", arguments: [UInt64(4), 5, 6])
  func agenda(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var agenda = LoadAgenda(userCount: 100)
    let times = (0..<100).map { _ in Int.random(in: 0...1_000, using: &random) }
    for (number, time) in times.enumerated() { agenda.plan(number, at: time) }
    var found: [Int] = []
    while let number = agenda.takeDue(.max - 1) { found.append(times[number]) }
    #expect(found == times.sorted(), "seed \(seed)")
    #expect(agenda.nextNanoseconds == nil)
  }

  @Test("the agenda keeps a user's earlier time")
  func earlier() {
    var agenda = LoadAgenda(userCount: 1)
    agenda.plan(0, at: 5)
    agenda.plan(0, at: 9)
    #expect(agenda.takeDue(4) == nil)
    #expect(agenda.takeDue(5) == 0 && agenda.nextNanoseconds == nil)
  }

  @Test("a packet counts once, whatever its order")
  func places() {
    var stream = LoadStream(ssrc: 1)
    #expect(
      [0, 1, 3, 2, 2, 3, 4, 200, 199, 199, 4].map { stream.place($0) } == [
        .inOrder, .inOrder, .inOrder, .outOfOrder, .duplicate, .duplicate, .inOrder, .inOrder, .outOfOrder, .duplicate,
        .outOfOrder,
      ])
  }

  @Test("a payload reads as it was written, and another program's is ignored")
  func payload() {
    let payload = LoadPayload(isCounted: true, uid: .max, number: 7, sentNanoseconds: 1 << 60)
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 80, alignment: 1)
    defer { memory.deallocate() }
    memory.initializeMemory(as: UInt8.self, repeating: 0)
    #expect(LoadPayload(UnsafeRawBufferPointer(memory)) == nil)
    payload.write(to: memory)
    #expect(LoadPayload(UnsafeRawBufferPointer(memory)) == payload)
    #expect(LoadPayload(UnsafeRawBufferPointer(rebasing: memory[..<21])) == nil)
  }
}
