import AudioGraph
import Engine
import MediaStreams
import NetworkIO
import OpusCodec
import RTP
import RTPSessions
import TestSupport

/// A sender and a receiver with real sockets, and between them a place that loses packets and keeps them for a while.
/// Time is virtual, and the sender's pipeline counts its own from its first tick, as one that runs to a file's end
/// does.
final class RTPRig {
  static let frame = 10_000_000
  static let senderSSRC: UInt32 = 77
  let clock = VirtualClock()
  private let outgoing: AudioPipeline
  private let incoming: AudioPipeline
  private let voice: PushSource
  let receiver: RTPSource
  let send: RTPSendSession
  let receive: RTPReceiveSession
  private let middle: UDPSocket
  private var senderAddress: SocketAddress?
  private var count = 0
  private var tick = 0
  private(set) var lostNumbers: Set<UInt16> = []
  /// Bytes of RTP that were sent for the first time, and when.
  private(set) var firsts: [(nanoseconds: Int, byteCount: Int)] = []
  /// Bytes of RTP that were sent again, and when.
  private(set) var answers: [(nanoseconds: Int, byteCount: Int)] = []
  /// Datagrams of RTCP that the receiver has sent, as they were on the way.
  private(set) var receiverReports: [[UInt8]] = []
  /// How far the timestamps of the sender's reports are behind those of its newest packets.
  private(set) var reportedTimestampSteps: [Int32] = []
  private var newestTimestamp: UInt32 = 0
  /// How many ticks each way takes.
  private let wayTicks: Int
  private var underWay: [(tick: Int, bytes: [UInt8], isFromReceiver: Bool)] = []

  init(
    codec: OpusOptions = OpusOptions(complexity: 1), receiverSSRC: UInt32? = nil, asks: Bool = true, wayTicks: Int = 0,
    protections: (sender: SRTPContextPair?, receiver: SRTPContextPair?) = (nil, nil)
  ) throws {
    self.wayTicks = wayTicks
    clock.advance(byNanoseconds: 86_400_000_000_000)
    let options = PipelineOptions(mode: .offline, sampleRate: 48_000)
    outgoing = try AudioPipeline(options)
    incoming = try AudioPipeline(options)
    voice = try PushSource(
      try AudioFormat(sampleRate: 48_000, channelCount: 1), sampleRate: 48_000, ready: outgoing.bell)
    try outgoing.setLocalSource(voice)
    let sender = try PacketSender(SenderOptions(codec: .opus(codec), ssrc: Self.senderSSRC))
    try outgoing.startSending(through: sender)
    receiver = try incoming.addRemoteUser(1, receiving: JitterBufferOptions(payloadType: 111))
    receive = try RTPReceiveSession(
      receiver, at: try SocketAddress("127.0.0.1:0"), usesRTCPMux: true, requests: asks ? NackPolicy() : nil,
      ssrc: receiverSSRC,
      protection: protections.receiver, clock: clock, random: SeededGenerator(seed: 2))
    middle = try UDPSocket(at: try SocketAddress("127.0.0.1:0"))
    send = try RTPSendSession(
      sender, to: middle.localAddress, usesRTCPMux: true, adapts: false, protection: protections.sender, clock: clock,
      random: SeededGenerator(seed: 1))
    try outgoing.startStepping(isEndless: true)
    try incoming.startStepping(isEndless: true)
  }

  deinit {
    outgoing.finishStepping()
    incoming.finishStepping()
  }

  /// 10 ms on both sides.
  ///
  /// - Parameter isStalled: whether what the sender has made waits.
  func step(isStalled: Bool = false, losing isLost: (Int) -> Bool = { _ in false }) {
    let samples = seededNoise(count: 480, seed: UInt64(tick), amplitude: 0.1)
    _ = samples.withUnsafeBufferPointer { voice.push($0.span) }
    outgoing.step(atNanoseconds: tick * Self.frame)
    if !isStalled { send.pump() }
    forward(isLost)
    receive.pump(atMostNanoseconds: 0)
    forward(isLost)
    receiver.complete(untilNanoseconds: clock.nowNanoseconds + 1)
    incoming.step(atNanoseconds: clock.nowNanoseconds)
    tick += 1
    clock.advance(byNanoseconds: Self.frame)
  }

  /// Lets the receiver say goodbye.
  func leave() {
    receive.finish()
    forward { _ in false }
    send.pump()
  }

  /// Mutes the sender's voice, or sends it again.
  func mute(_ isMuted: Bool) throws { try outgoing.muteLocalAudioStream(isMuted) }

  /// Gives the sender a datagram, as if the receiver had sent it.
  func answer(_ bytes: [UInt8]) {
    guard let senderAddress else { return }
    bytes.withUnsafeBytes { _ = middle.send($0, to: senderAddress) }
  }

  private func forward(_ isLost: (Int) -> Bool) {
    while middle.receive({ bytes, address in
      let isFromReceiver = address.port == receive.localAddress.port
      if isFromReceiver { receiverReports.append(Array(bytes)) } else { senderAddress = address }
      if !isFromReceiver, DatagramKind(bytes) == .rtp, let header = try? RTPHeader(parsing: bytes) {
        if lostNumbers.contains(header.sequenceNumber) {
          answers.append((clock.nowNanoseconds, bytes.count))
        } else {
          count += 1
          firsts.append((clock.nowNanoseconds, bytes.count))
          if isLost(count) {
            lostNumbers.insert(header.sequenceNumber)
            return
          }
        }
      }
      if !isFromReceiver { noteTimestamp(bytes) }
      underWay.append((tick + wayTicks, Array(bytes), isFromReceiver))
    }) != nil {}
    while let first = underWay.first, first.tick <= tick {
      underWay.removeFirst()
      first.bytes.withUnsafeBytes {
        _ = middle.send($0, to: first.isFromReceiver ? senderAddress! : receive.localAddress)
      }
    }
  }

  private func noteTimestamp(_ bytes: UnsafeRawBufferPointer) {
    func timestamp(at offset: Int) -> UInt32 {
      UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }
    if DatagramKind(bytes) == .rtp {
      newestTimestamp = timestamp(at: 4)
    } else if bytes.count >= 28, bytes[1] == 200 {
      reportedTimestampSteps.append(Int32(bitPattern: timestamp(at: 16) &- newestTimestamp))
    }
  }
}
