import MediaStreams
import NetworkIO
import Platform
import RTP
import RTPSessions
import TestSupport
import Testing

/// Other sources that send to the port of a stream.
@Suite(.timeLimit(.minutes(10))) struct RTPSourcesTests {
  /// A packet of Opus without content, which is whole as it is.
  private func packet(ssrc: UInt32, number: UInt16, payloadType: UInt8 = 111) throws -> [UInt8] {
    // More than two bytes of payload: no pause that is announced.
    var bytes = [UInt8](repeating: 0, count: 60)
    let header = RTPHeader(
      marker: false, payloadType: payloadType, sequenceNumber: number, timestamp: UInt32(number) * 480, ssrc: ssrc)
    try bytes.withUnsafeMutableBytes { _ = try header.write(to: $0) }
    bytes[12] = 0xF8
    return bytes
  }

  private func bye(ssrc: UInt32) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = try bytes.withUnsafeMutableBytes { memory in
      var writer = RTCPWriter(into: memory)
      try writer.appendReceiverReport(ssrc: ssrc)
      try writer.appendBye(ssrc: ssrc)
      return writer.byteCount
    }
    return Array(bytes[..<count])
  }

  private func send(_ bytes: [UInt8], from socket: UDPSocket, to rig: RTPRig) {
    bytes.withUnsafeBytes { _ = socket.send($0, to: rig.receive.localAddress) }
  }

  @Test(
    "other sources and payload types do not change reports and requests",
    .shows("rtp: other sources"),
    arguments: [(99, 111), (99, 100), (RTPRig.senderSSRC, 100)] as [(UInt32, UInt8)])
  func second(ssrc: UInt32, payloadType: UInt8) throws {
    let (alone, rig) = (try RTPRig(), try RTPRig())
    let stranger = try UDPSocket(at: try SocketAddress("127.0.0.1:0"))
    let isLost: (Int) -> Bool = { $0 > 300 && $0 % 10 == 0 }
    for tick in 0..<1_500 {
      alone.step(losing: isLost)
      rig.step(losing: isLost)
      // Two in a row, as after a hiccup.
      for index in 0..<2 where tick % 8 == 1 {
        send(
          try packet(ssrc: ssrc, number: UInt16(tick / 4 + index + 20_000), payloadType: payloadType), from: stranger,
          to: rig)
      }
    }
    #expect(rig.receive.counters.packets == alone.receive.counters.packets)
    #expect(rig.receive.counters.foreign == 376 && rig.receive.counters.unknownSources == 376)
    // The receiver counts by the same judgement.
    let counted = rig.receiver.latestSnapshot.statistics
    #expect(counted.packetsFromUnknownSources == 376 && counted.sourceChanges == 0)
    #expect(counted.packetsReceived + counted.packetsDuplicated == rig.receive.counters.packets)
    let (heard, expected) = (rig.receive.report, alone.receive.report)
    #expect(rig.lostNumbers.count >= 40 && heard.missing.recovered >= rig.lostNumbers.count - 1)
    #expect(heard.packetsLost == expected.packetsLost && heard.jitterNanoseconds == expected.jitterNanoseconds)
    #expect(abs((rig.send.report.delivery.loss ?? 0) - 0.1) < 0.05)
    #expect(heard.roundTripNanoseconds != nil)
    // Nobody but the sender is told anything.
    var told = 0
    while stranger.receive({ _, _ in told += 1 }) != nil {}
    #expect(told == 0)
  }

  @Test(
    "a BYE of another source does not end the stream",
    .shows("rtp: other sources"))
  func otherBye() throws {
    let rig = try RTPRig()
    let stranger = try UDPSocket(at: try SocketAddress("127.0.0.1:0"))
    for tick in 0..<600 {
      rig.step()
      if tick % 4 == 1 { send(try packet(ssrc: 99, number: UInt16(tick)), from: stranger, to: rig) }
      if tick % 100 == 50 { send(try bye(ssrc: 99), from: stranger, to: rig) }
    }
    #expect(!rig.receive.hasEnded && !rig.receive.report.hasLeft)
    #expect(rig.send.counters.reports >= 3)
    var told = 0
    while stranger.receive({ _, _ in told += 1 }) != nil {}
    #expect(told == 0)
  }

  @Test(
    "a mute or a stall of 200 ms does not give the stream away",
    .shows("rtp: other sources"))
  func patience() throws {
    let rig = try RTPRig()
    let stranger = try UDPSocket(at: try SocketAddress("127.0.0.1:0"))
    var number: UInt16 = 0
    for tick in 0..<1_400 {
      // Muted from 3 to 8 s, its packets every 400 ms; held up from 10 to 10.2 s.
      if tick == 300 || tick == 800 { try rig.mute(tick == 300) }
      rig.step(isStalled: (1_000..<1_020).contains(tick))
      if tick >= 200, tick % 2 == 0 {
        number += 1
        send(try packet(ssrc: 99, number: number), from: stranger, to: rig)
      }
    }
    #expect(rig.receive.counters.foreign == Int(number) || rig.receive.counters.foreign == Int(number) - 1)
    #expect(rig.receive.counters.sourceChanges == 0)
    let heard = rig.receiver.latestSnapshot
    #expect(heard.ssrc == RTPRig.senderSSRC && heard.statistics.streamsBegun == 1 && heard.stage == .playing)
  }

  @Test(
    "after silence another source begins a stream that is reported on",
    .shows("rtp: other sources"))
  func successor() throws {
    let rig = try RTPRig()
    for _ in 0..<300 { rig.step() }
    let before = rig.receive.counters.packets
    let stranger = try UDPSocket(at: try SocketAddress("127.0.0.1:0"))
    for tick in 0..<400 {
      rig.step { _ in true }
      if tick >= 120, tick % 2 == 0 { send(try packet(ssrc: 99, number: UInt16(tick / 2)), from: stranger, to: rig) }
    }
    #expect(rig.receive.counters.packets == before + 140 && rig.receive.counters.sourceChanges == 1)
    #expect(rig.receiver.latestSnapshot.statistics.sourceChanges == 1)
    var told = 0
    while stranger.receive({ _, _ in told += 1 }) != nil {}
    #expect(told >= 2 && !rig.receive.hasEnded)
    send(try bye(ssrc: 99), from: stranger, to: rig)
    rig.step { _ in true }
    #expect(rig.receive.hasEnded)
  }
}
