import AudioGraph
import Engine
import Transport

/// A stream that comes over a bad network: late, lost, twice, out of order, paused and begun anew. Touched between ticks.
final class GateNetwork: @unchecked Sendable {
  // SAFETY (@unchecked Sendable): made on the control thread, then used by the ticking thread alone.
  let source: ReceiverSource
  private let packets: UnsafeMutableRawBufferPointer
  private var byteCounts: [Int] = []
  private var random: UInt32 = 1

  private static let bytesPerPacket = 1_300
  private static let packetCount = 100

  init() throws {
    source = try ReceiverSource(ReceiverOptions(channelCount: 2), isLossless: false, ready: Doorbell())
    packets = .allocate(byteCount: Self.bytesPerPacket * Self.packetCount, alignment: 16)
    packets.initializeMemory(as: UInt8.self, repeating: 0)
    var encoder = try OpusEncoder(
      channelCount: 2, options: OpusOptions(forwardErrorCorrection: true, expectedLossPercent: 20, application: .voip))
    var noise: UInt32 = 7
    for index in 0..<Self.packetCount {
      // Syllables of noise, so that something is to be stretched and something is quiet.
      let samples = (0..<1_920).map { _ in
        noise = noise &* 1_664_525 &+ 1_013_904_223
        return Float(Int32(bitPattern: noise)) * 0x1p-31 * (index % 10 < 6 ? 0.3 : 0.0005)
      }
      let start = Self.bytesPerPacket * index + RTPHeader.byteCount
      let room = UnsafeMutableRawBufferPointer(
        rebasing: packets[start..<(start + Self.bytesPerPacket - RTPHeader.byteCount)])
      byteCounts.append(RTPHeader.byteCount + (try encoder.encode(samples, into: room)))
    }
  }

  deinit { packets.deallocate() }

  /// Gives what comes before tick `tick`.
  func deliver(tick: Int) {
    // A pause now and then, a burst behind it, and a new source each 40 s.
    let isStill = tick % 700 > 650
    if tick % 2 == 1 || isStill { return }
    for number in (tick % 700 == 0 ? max(0, tick / 2 - 24) : tick / 2)...(tick / 2) {
      random = random &* 1_664_525 &+ 1_013_904_223
      let chance = random >> 24
      if chance < 25 { continue }
      send(number, tick: tick)
      if chance > 240 { send(number, tick: tick) }
      if chance > 230, number > 3 { send(number - 3, tick: tick) }
    }
  }

  private func send(_ number: Int, tick: Int) {
    let index = number % Self.packetCount
    let start = Self.bytesPerPacket * index
    let header = RTPHeader(
      marker: false, payloadType: 111, sequenceNumber: UInt16(truncatingIfNeeded: number),
      timestamp: UInt32(truncatingIfNeeded: number * 960), ssrc: UInt32(tick / 4_000))
    let packet = UnsafeMutableRawBufferPointer(rebasing: packets[start..<(start + byteCounts[index])])
    _ = try? header.write(to: packet)
    // A little of the time between two ticks has passed; the sender's clock is 100 ppm fast.
    let arrival = tick * 10_000_000 - Int(random >> 10) - number * 2_000
    source.receive(UnsafeRawBufferPointer(packet), arrivalNanoseconds: arrival)
  }
}
