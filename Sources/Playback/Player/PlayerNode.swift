public import AudioGraph
import Synchronization

/// Plays a sound whose blocks another thread puts into a ring.
///
///     prefetch thread ── PlayerBlock ──▶ node ──▶ frames     audio thread
///     control thread ── PlayerCommand ─▶  │
///     control thread ◀── PlayerEvent ─────┘
///
/// Blocks follow each other sample by sample, whatever their length: where a sound is repeated it is joined to itself.
/// Pause, stop and seek fade over 5 ms. A ring that runs empty is silence, and counted.
///
/// Thread: `send` and `takeEvent` from one control thread at a time.
public final class PlayerNode: AudioNode {
  public let inputs: [InputPort] = []
  public let outputs: [OutputPort]
  private let gauges = RenderState(PlayerGauges())
  private let state: RenderState<PlayerState>
  private let commands: RenderState<RingProducer<PlayerCommand>>
  private let events: RenderState<RingConsumer<PlayerEvent>>

  /// Commands that may wait, and events; ends of passes are left out where that is not enough.
  private static let queueCapacity = 64

  /// A player of `blocks`, whose frames must have `format`; `speakers` are those of its channels, as in a frame's
  /// header.
  public init(reading blocks: consuming RingConsumer<PlayerBlock>, format: AudioFormat, speakers: UInt32 = 0) {
    outputs = [OutputPort(channelCount: format.channelCount)]
    let commandRing = Ring(capacity: Self.queueCapacity, initial: PlayerCommand.stop)
    let eventRing = Ring(
      capacity: Self.queueCapacity, initial: PlayerEvent(kind: .stopped, position: 0, generation: 0)
    )
    commands = RenderState(commandRing.takeProducer())
    events = RenderState(eventRing.takeConsumer())
    state = RenderState(
      PlayerState(
        blocks: blocks, commands: commandRing.takeConsumer(), events: eventRing.takeProducer(),
        gauges: gauges.pointer, format: format, speakers: speakers))
  }

  public var renderer: Renderer { Renderer(renderPlayer, state) }

  /// Asks for something. Returns: false when as much waits as may; it is then not obeyed, and can be asked for again.
  @discardableResult
  public func send(_ command: PlayerCommand) -> Bool { commands.pointer.pointee.push(command) }

  /// The oldest event that has not been taken. Returns: nil when there is none.
  public func takeEvent() -> PlayerEvent? { events.pointer.pointee.pop() }

  /// Position in the sound of the next sample, in samples per channel of the graph's rate. Thread: any.
  public var position: Int { gauges.pointer.pointee.position.load(ordering: .relaxed) }

  /// Says what `position` is until the next sample is played. Thread: control, after the command that moves it.
  public func announce(position: Int) { gauges.pointer.pointee.position.store(position, ordering: .relaxed) }

  /// How many passes of a generation have been played to their end. Thread: any.
  public func passesPlayed(of generation: UInt32) -> Int {
    let passes = gauges.pointer.pointee.passes.load(ordering: .relaxed)
    return passes >> 32 == UInt64(generation) ? Int(passes & 0xFFFF_FFFF) : 0
  }

  /// Samples per channel that were missing and became silence. Thread: any.
  public var underrunCount: Int { gauges.pointer.pointee.underruns.load(ordering: .relaxed) }

  /// Samples per channel that have been played. Thread: audio, between ticks.
  public var playedSampleCount: Int { state.pointer.pointee.played }

  /// Samples per channel that a start, a seek or a stop passed over. Thread: audio, between ticks.
  public var skippedSampleCount: Int { state.pointer.pointee.skipped }

  /// Samples per channel that wait in the ring. Thread: audio, between ticks.
  public var heldSampleCount: Int { state.pointer.pointee.waitingSamples() }

  /// How many ticks of `count` samples will not miss any, unless it is told something else meanwhile. Thread: audio,
  /// between ticks.
  public func readyTicks(of count: Int) -> Int { state.pointer.pointee.readyTicks(of: count) }

  /// Position of the graph behind the last sample, past or to come. Returns: nil where that is not known yet. Thread:
  /// audio, between ticks.
  public var endPosition: Int? { state.pointer.pointee.endPosition() }

  /// True while it plays, fades or has been told to. Thread: audio, between ticks.
  public var isActive: Bool { state.pointer.pointee.isActive() }
}

@_noLocks
private func renderPlayer(_ context: UnsafeMutableRawPointer, _ state: UnsafeMutableRawPointer) {
  state.assumingMemoryBound(to: PlayerState.self).pointee.render(RenderContext(context))
}
