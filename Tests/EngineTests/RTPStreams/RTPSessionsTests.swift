import AudioGraph
import Engine
import NetworkIO
import TestSupport
import Testing
import Transport

/// A sender and a receiver with real sockets, and between them a place that loses packets. Time is virtual.
private final class Rig {
  static let frame = 10_000_000
  let clock = VirtualClock()
  private let outgoing: AudioPipeline
  private let incoming: AudioPipeline
  private let voice: PushSource
  let receiver: ReceiverSource
  let send: RTPSendSession
  let receive: RTPReceiveSession
  private let middle: UDPSocket
  private var senderAddress: SocketAddress?
  private var count = 0
  private var tick = 0
  private(set) var lostNumbers: Set<UInt16> = []

  init(codec: OpusOptions) throws {
    let options = PipelineOptions(sampleRate: 48_000, isLossless: true)
    outgoing = try AudioPipeline(options)
    incoming = try AudioPipeline(options)
    voice = try PushSource(
      try AudioFormat(sampleRate: 48_000, channelCount: 1), sampleRate: 48_000, ready: outgoing.bell)
    try outgoing.setLocalSource(voice)
    let sender = try PacketSender(SenderOptions(codec: .opus(codec), ssrc: 77))
    try outgoing.startSending(through: sender)
    receiver = try incoming.addRemoteUser(1, receiving: ReceiverOptions())
    receive = try RTPReceiveSession(receiver, at: try SocketAddress("127.0.0.1:0"), sharesPort: true, clock: clock)
    middle = try UDPSocket(at: try SocketAddress("127.0.0.1:0"))
    send = try RTPSendSession(sender, to: middle.localAddress, sharesPort: true, adapts: false, clock: clock)
    try outgoing.startStepping(isEndless: true)
    try incoming.startStepping(isEndless: true)
  }

  deinit {
    outgoing.finishStepping()
    incoming.finishStepping()
  }

  /// 10 ms on both sides.
  func step(losing isLost: (Int) -> Bool) {
    let samples = seededNoise(count: 480, seed: UInt64(tick), amplitude: 0.1)
    _ = samples.withUnsafeBufferPointer { voice.push($0.span) }
    outgoing.step(atNanoseconds: clock.nowNanoseconds)
    send.pump()
    forward(isLost)
    receive.pump(atMostNanoseconds: 0)
    forward(isLost)
    receiver.complete(untilNanoseconds: clock.nowNanoseconds + 1)
    incoming.step(atNanoseconds: clock.nowNanoseconds)
    tick += 1
    clock.advance(byNanoseconds: Self.frame)
  }

  private func forward(_ isLost: (Int) -> Bool) {
    while middle.receive({ bytes, address in
      let isFromReceiver = address.port == receive.localAddress.port
      if !isFromReceiver { senderAddress = address }
      if !isFromReceiver, DatagramKind(bytes) == .rtp, let header = try? RTPHeader(parsing: bytes) {
        let isAgain = lostNumbers.contains(header.sequenceNumber)
        if !isAgain {
          count += 1
          if isLost(count) {
            lostNumbers.insert(header.sequenceNumber)
            return
          }
        }
      }
      middle.send(bytes, to: isFromReceiver ? senderAddress! : receive.localAddress)
    }) != nil {}
  }
}

@Suite struct RTPSessionsTests {
  @Test("over real sockets, what is lost is asked for and sent again in time, and both sides say so")
  func resends() throws {
    let rig = try Rig(codec: OpusOptions(complexity: 1))
    for _ in 0..<2_000 { rig.step { $0 > 300 && $0 % 10 == 0 } }
    let (sent, heard) = (rig.send.report, rig.receive.report)
    let lost = rig.lostNumbers.count
    #expect(lost >= 65)
    #expect(heard.missing.asked >= lost - 1 && heard.missing.recovered >= lost - 1)
    #expect(rig.send.counters.resent >= lost - 1 && sent.resends.resent == rig.send.counters.resent)
    #expect(rig.receiver.newestReport.statistics.retransmittedPacketsUsed >= lost - 5)
    #expect(rig.receiver.newestReport.statistics.packetsLost <= 1)
    // What was sent again is still told as lost on the way.
    #expect(abs((sent.remoteFractionLost ?? 0) - 0.1) < 0.05 && sent.remotePacketsLost >= lost - 8)
    #expect((sent.roundTripNanoseconds ?? .max) <= 2 * Rig.frame)
    #expect((heard.roundTripNanoseconds ?? .max) <= 2 * Rig.frame)
  }

  @Test("a goodbye ends the stream at the other side")
  func goodbye() throws {
    let rig = try Rig(codec: OpusOptions(complexity: 1))
    for _ in 0..<100 { rig.step { _ in false } }
    #expect(!rig.receive.hasEnded)
    rig.send.finish()
    rig.step { _ in false }
    #expect(rig.receive.hasEnded && rig.receive.report.hasLeft)
  }
}
