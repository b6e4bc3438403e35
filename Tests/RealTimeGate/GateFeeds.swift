import AudioGraph
import Effects
import Engine
import MediaStreams
import OpusCodec
import Playback
import RTP

/// The other ends of the rings that lead into and out of the graph. Touched between ticks, by the thread that ticks.
final class GateFeeds: @unchecked Sendable {
  // SAFETY (@unchecked Sendable): made on the control thread, then used by the ticking thread alone.
  let source: FrameSourceNode
  let sink: FrameSinkNode
  let push: PushSource
  let player: PlayerNode
  /// What is sent comes back as a bad network would bring it.
  let sender: PacketSender
  let receiver: RTPSource
  let devices: GateDevices
  private var packets = 0
  private var blocks: RingProducer<PlayerBlock>
  private var frames: RingProducer<Frame>
  private var rendered: RingConsumer<Frame>
  private let samples = UnsafeMutableBufferPointer<Float>.allocate(capacity: 882)

  init() throws {
    devices = try GateDevices()
    samples.initialize(repeating: 0.25)
    let stereo = try AudioFormat(sampleRate: 48_000, channelCount: 2)
    let input = FrameRing(capacity: 4, format: stereo)
    let output = FrameRing(capacity: 4, format: stereo, policy: .dropOldest)
    source = FrameSourceNode(reading: input.takeConsumer(), channelCount: 2)
    sink = FrameSinkNode(writing: output.takeProducer(), channelCount: 2)
    frames = input.takeProducer()
    rendered = output.takeConsumer()
    let sound = PlayerRing(capacity: 8, format: stereo)
    player = PlayerNode(reading: sound.takeConsumer(), format: stereo)
    blocks = sound.takeProducer()
    sender = try PacketSender(SenderOptions(codec: .opus(Self.codec(tick: 0)), audioLevelIdentifier: 1))
    sender.setSending(true)
    receiver = try RTPSource(JitterBufferOptions(audioLevelIdentifier: 1), of: try AudioPipeline())
    push = try PushSource(
      try AudioFormat(sampleRate: 44_100, channelCount: 2), sampleRate: 48_000, ready: Doorbell())
  }

  /// A sound of 30 blocks, an odd number of samples long, repeated and from time to time begun anew.
  private func feedPlayer(tick: Int) {
    while blocks.freeCount > 0, let slot = blocks.reserve() {
      slot.pointee.count = 333
      slot.pointee.generation = UInt32(tick / 200)
      slot.pointee.endsPass = tick % 30 == 0
      slot.pointee.isLast = tick % 190 == 0
      blocks.commit(1)
    }
    switch tick % 200 {
    case 0: player.send(.start(generation: UInt32(tick / 200), atPosition: 0, fadesIn: tick % 400 == 0))
    case 50: player.send(.pause)
    case 60: player.send(.resume)
    case 100: player.send(.seek(generation: UInt32(tick / 200)))
    case 150: player.send(.stop)
    default: break
    }
    while player.takeEvent() != nil {}
  }

  deinit { samples.deallocate() }

  /// Every tenth packet is lost, every seventh comes twice, every eleventh was sent again, and now and then none comes
  /// for a while; the voice is muted now and then, and the sender says goodbye.
  private func network(tick: Int) {
    if tick % 500 == 0 { try? sender.set(Self.codec(tick: tick)) }
    sender.setSending(tick % 700 < 600)
    if tick % 1_100 == 0 { receiver.receiveBye() }
    while sender.next({ bytes, time in
      packets += 1
      if packets % 10 == 0 || tick % 300 < 30 { return }
      receiver.receive(
        bytes, arrivalNanoseconds: time + packets * 7_919_000 % 30_000_000,
        origin: packets % 11 == 0 ? .retransmittedInReach : .first)
      if packets % 7 == 0 { receiver.receive(bytes, arrivalNanoseconds: time + 31_000_000) }
    }) {}
  }

  private static func codec(tick: Int) -> OpusOptions {
    OpusOptions(
      packetDuration: tick % 1_000 == 0 ? .milliseconds20 : .milliseconds10,
      forwardErrorCorrection: tick % 1_000 == 0, discontinuousTransmission: tick % 1_500 == 0)
  }

  /// Gives the next tick its frames, but lets every tenth find the rings empty; takes what the last one gave.
  func exchange(tick: Int) {
    while rendered.pop() != nil {}
    network(tick: tick)
    devices.run(tick: tick)
    if tick % 10 == 0 { return }
    if let slot = frames.reserve() {
      slot.pointee.header.pointee = FrameHeader(samplePosition: tick * 480, samplesPerChannel: 480)
      frames.commit(1)
    }
    feedPlayer(tick: tick)
    _ = push.push(UnsafeBufferPointer(samples).span)
  }
}
