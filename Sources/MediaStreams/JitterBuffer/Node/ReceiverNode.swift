import AudioGraph
import Synchronization

/// Receiver as the beginning of a graph: on every tick, the packets that have come enter it, and a frame comes out.
///
///     network thread ──ring──▶ receiver ──▶ frames   audio thread
///
/// Real-time: no lock, no allocation; costs as much as the codec and at most a few microseconds.
final class ReceiverNode: AudioNode {
  let inputs: [InputPort] = []
  let outputs: [OutputPort]
  private let signals = RenderState(ReceiverSignals())
  private let state: RenderState<ReceiverNodeState>

  /// Creates a node.
  ///
  /// - Parameters:
  ///   - receiver: the receiver that renders the frames.
  ///   - packets: audio thread's end of the incoming packets.
  ///   - outlets: writer of the receiver's reports.
  ///   - holdsBack: whether packets wait in the ring until the tick's time has reached their arrival.
  init(
    _ receiver: consuming JitterBuffer, packets: consuming IncomingPacketReader, outlets: consuming SnapshotWriter,
    holdsBack: Bool
  ) {
    outputs = [OutputPort(channelCount: receiver.options.channelCount)]
    state = RenderState(
      ReceiverNodeState(
        receiver: receiver, packets: packets, outlets: outlets, signals: signals.pointer, holdsBack: holdsBack))
  }

  var renderer: Renderer { Renderer(renderReceiver, state) }

  /// Time of the newest tick, in nanoseconds; below 0 before the first. Thread: any.
  var tickTime: Int { signals.pointer.pointee.tickTime.load(ordering: .acquiring) }

  /// Samples per channel rendered so far. Thread: any.
  var renderedSampleCount: Int { signals.pointer.pointee.rendered.load(ordering: .relaxed) }

  /// Notes the sender's BYE. Thread: any; counts from the next tick.
  func receiveBye() { signals.pointer.pointee.hasLeft.store(true, ordering: .relaxed) }

  /// Whether anybody needs the frames. If not, packets pass without being decoded, from 100 ms later on. Thread: any;
  /// counts from the next tick.
  var isHeard: Bool {
    get { signals.pointer.pointee.isHeard.load(ordering: .relaxed) }
    set { signals.pointer.pointee.isHeard.store(newValue, ordering: .relaxed) }
  }

  /// Whether the listener has muted the user. Thread: any; counts from the next tick.
  var isMuted: Bool {
    get { signals.pointer.pointee.isMuted.load(ordering: .relaxed) }
    set { signals.pointer.pointee.isMuted.store(newValue, ordering: .relaxed) }
  }

  /// Shortest mean wait of a sample, in nanoseconds. Thread: any; counts from the next tick.
  var minimumDelay: Int {
    get { signals.pointer.pointee.minimumDelay.load(ordering: .relaxed) }
    set { signals.pointer.pointee.minimumDelay.store(newValue, ordering: .relaxed) }
  }
}

/// Signals between a receiver's node and other threads.
private struct ReceiverSignals: ~Copyable {
  /// Whether anybody needs the frames. Relaxed: it stands for itself.
  let isHeard = Atomic<Bool>(true)
  /// Whether the listener has muted the user. Relaxed: it stands for itself.
  let isMuted = Atomic<Bool>(false)
  /// Shortest mean wait of a sample, in nanoseconds. Relaxed: it stands for itself.
  let minimumDelay = Atomic<Int>(0)
  /// Whether the sender has left. Relaxed: packets after it begin another stream, on either side of them that it is
  /// seen. Taken back by the audio thread.
  let hasLeft = Atomic<Bool>(false)
  /// Time of the newest tick. Stored by the audio thread when a tick ends; pairs with the load in `tickTime`.
  let tickTime = Atomic<Int>(-1)
  /// Samples per channel rendered so far. Relaxed: a count only.
  let rendered = Atomic<Int>(0)
}

private struct ReceiverNodeState: ~Copyable {
  private var receiver: JitterBuffer
  private var packets: IncomingPacketReader
  private var outlets: SnapshotWriter
  private let signals: UnsafePointer<ReceiverSignals>
  private let holdsBack: Bool
  /// Ticks since anybody needed the frames, up to `fadingTicks`, which is also the first value: nobody has heard
  /// anything.
  private var unheardTicks = ReceiverNodeState.fadingTicks

  /// Ticks for which a user is still decoded after nobody needs it any more: gains come down and graphs change by then.
  private static var fadingTicks: Int { @_noLocks get { 10 } }

  init(
    receiver: consuming JitterBuffer, packets: consuming IncomingPacketReader,
    outlets: consuming SnapshotWriter, signals: UnsafePointer<ReceiverSignals>, holdsBack: Bool
  ) {
    self.receiver = receiver
    self.packets = packets
    self.outlets = outlets
    self.signals = signals
    self.holdsBack = holdsBack
  }

  @_noLocks
  mutating func render(_ context: RenderContext) {
    let now = context.tick.timeNanoseconds
    let isHeard = signals.pointee.isHeard.load(ordering: .relaxed)
    unheardTicks = isHeard ? 0 : min(unheardTicks &+ 1, ReceiverNodeState.fadingTicks)
    receiver.isDecoding = unheardTicks < ReceiverNodeState.fadingTicks
    receiver.minimumDelayNanoseconds = signals.pointee.minimumDelay.load(ordering: .relaxed)
    packets.deliver(to: &receiver, holdsBack: holdsBack, nowNanoseconds: now)
    if signals.pointee.hasLeft.load(ordering: .relaxed) {
      signals.pointee.hasLeft.store(false, ordering: .relaxed)
      receiver.receiveBye()
    }
    receiver.render(into: context.output(0), nowNanoseconds: now)
    outlets.write(
      receiver.report, isMuted: signals.pointee.isMuted.load(ordering: .relaxed), tick: context.tick)
    signals.pointee.rendered.wrappingAdd(JitterBuffer.samplesPerFrame, ordering: .relaxed)
    signals.pointee.tickTime.store(now, ordering: .releasing)
  }
}

@_noLocks
private func renderReceiver(_ context: UnsafeMutableRawPointer, _ state: UnsafeMutableRawPointer) {
  state.assumingMemoryBound(to: ReceiverNodeState.self).pointee.render(RenderContext(context))
}
