import NetworkSimulation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct BottleneckTests {
  private func link(_ bitsPerSecond: Int, queue: Int) throws -> ImpairedLink<Int> {
    let conditions = try NetworkConditions(bottleneck: Bottleneck(bitsPerSecond: bitsPerSecond, queueByteLimit: queue))
    return ImpairedLink(conditions, seed: 1, link: LinkIdentity(sender: 1, receiver: 2))
  }

  private func drain(_ link: inout ImpairedLink<Int>) -> [Int] {
    var times: [Int] = []
    while let deadline = link.nextDeadlineNanoseconds {
      while let arrival = link.receive(nowNanoseconds: deadline) { times.append(arrival.arrivalNanoseconds) }
    }
    return times
  }

  @Test("a burst's packets leave at the rate without accumulated rounding error")
  func burst() throws {
    // 7 bits a microsecond do not divide a nanosecond evenly.
    for rate in [64_000, 1_000_000, 7_000_000, 999_983] {
      var link = try link(rate, queue: 1_000_000)
      for packet in 0..<1000 { link.send(packet, byteCount: 173, nowNanoseconds: 5) }
      let times = drain(&link)
      let expected = (1...1000).map { 5 + ($0 * 173 * 8_000_000_000 + rate - 1) / rate }
      #expect(times == expected, "at \(rate) bit/s")
    }
  }

  @Test("a packet that finds the link idle takes its own time only")
  func idle() throws {
    var link = try link(80_000, queue: 1500)
    for packet in 0..<10 { link.send(packet, byteCount: 100, nowNanoseconds: packet * 20_000_000) }
    let times = drain(&link)
    #expect(times == (0..<10).map { $0 * 20_000_000 + 10_000_000 })
  }

  @Test("a burst fills the queue to its limit and the rest is dropped", arguments: [200, 250, 1500, 1600, 5000])
  func dropTail(limit: Int) throws {
    var link = try link(64_000, queue: limit)
    for packet in 0..<100 { link.send(packet, byteCount: 100, nowNanoseconds: 0) }
    #expect(link.counters.dropped == 100 - limit / 100)
    // 8000 bytes a second: after 25 ms there is room for two more, and no third.
    for packet in 100..<103 { link.send(packet, byteCount: 100, nowNanoseconds: 25_000_000) }
    #expect(link.counters.dropped == 100 - limit / 100 + 1)
    let arrived = drain(&link).count
    #expect(arrived == limit / 100 + 2)
  }

  @Test("a link at twice its rate loses half, and arrivals wait a full queue")
  func overload() throws {
    var link = try link(64_000, queue: 3000)
    var delays: [Int] = []
    // 160 bytes every 10 ms are 128 kbit/s.
    for packet in 0..<10_000 {
      let now = packet * 10_000_000
      while let arrival = link.receive(nowNanoseconds: now) {
        delays.append(arrival.arrivalNanoseconds - arrival.datagram * 10_000_000)
      }
      link.send(packet, byteCount: 160, nowNanoseconds: now)
    }
    // 100 s at 64 kbit/s carry 800000 bytes; the queue holds up to 3000 more.
    let accepted = 10_000 - link.counters.dropped
    #expect(accepted * 160 <= 800_000 + 3000 && accepted * 160 > 800_000 + 3000 - 2 * 160)
    // 3000 bytes last 375 ms.
    #expect(delays.max()! <= 375_000_000 && delays.suffix(1000).min()! > 375_000_000 - 2 * 20_000_000)
  }

  @Test("a queue's duration is converted to the bytes that pass in it")
  func queueDuration() {
    #expect(Bottleneck(bitsPerSecond: 80_000, queueDuration: .milliseconds(500)).queueByteLimit == 5000)
    #expect(Bottleneck(bitsPerSecond: 64_000, queueDuration: .milliseconds(20)).queueByteLimit == 160)
  }

  @Test(
    "a link with a queue shorter than a packet takes packets only when idle", .shows("impair"),
    arguments: [0, 1, 99])
  func shortQueue(limit: Int) throws {
    var link = try link(64_000, queue: limit)
    // 100 bytes take 12.5 ms: of packets every 5 ms each third finds the link idle.
    for packet in 0..<300 { link.send(packet, byteCount: 100, nowNanoseconds: packet * 5_000_000) }
    let times = drain(&link)
    #expect(times == (0..<100).map { $0 * 15_000_000 + 12_500_000 })
    #expect(link.counters.dropped == 200)
  }

  @Test("a lost packet has used the rate of the bottleneck")
  func lossUsesTheRate() throws {
    let conditions = try NetworkConditions(
      loss: .bernoulli(probability: 1), bottleneck: Bottleneck(bitsPerSecond: 8_000, queueByteLimit: 1500))
    var link = ImpairedLink<Int>(conditions, seed: 1, link: LinkIdentity(sender: 1, receiver: 2))
    for packet in 0..<20 { link.send(packet, byteCount: 100, nowNanoseconds: 0) }
    #expect(link.counters.lost == 15 && link.counters.dropped == 5)
  }
}
