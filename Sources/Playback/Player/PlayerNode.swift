public import AudioGraph
import Synchronization

/// Plays a sound from a ring that another thread fills with blocks.
///
///     prefetch thread ── PlayerBlock ──▶ node ──▶ frames     audio thread
///     control thread ── PlayerCommand ─▶  │
///     control thread ◀── PlayerEvent ─────┘
///
/// Blocks follow each other sample by sample, whatever their length: each pass of a repeated sound joins the next.
/// Pause, stop and seek fade over 5 ms. If the ring runs empty, the node plays and counts silence.
///
/// Thread: `send` and `takeEvent` from one control thread at a time.
public final class PlayerNode: AudioNode {
  public let inputs: [InputPort] = []
  public let outputs: [OutputPort]
  private let gauges = RenderState(PlayerGauges())
  private let state: RenderState<PlayerState>
  private let commands: RenderState<RingProducer<PlayerCommand>>
  private let events: RenderState<RingConsumer<PlayerEvent>>

  /// Capacity of the command and event queues; if the event queue is full, ends of passes are left out.
  private static let queueCapacity = 64

  /// Creates a player of `blocks`; their frames must have `format`.
  ///
  /// - Parameters:
  ///   - blocks: ring that the player reads.
  ///   - format: sample rate and channel count of the frames.
  ///   - speakers: loudspeakers of the channels, as in a frame's header.
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

  /// Queues a command for the next tick.
  ///
  /// - Parameter command: command to queue.
  /// - Returns: false if the queue is full; the command is then not obeyed, and can be sent again.
  @discardableResult
  public func send(_ command: PlayerCommand) -> Bool { commands.pointer.pointee.push(command) }

  /// Takes the oldest event that has not been taken.
  ///
  /// - Returns: nil if there is none.
  public func takeEvent() -> PlayerEvent? { events.pointer.pointee.pop() }

  /// Position in the sound of the next sample, in samples per channel of the graph's rate. Thread: any.
  public var position: Int { gauges.pointer.pointee.position.load(ordering: .relaxed) }

  /// Sets the value of `position` until the next sample is played. Thread: control, after the command that moves it.
  public func announce(position: Int) { gauges.pointer.pointee.position.store(position, ordering: .relaxed) }

  /// Returns the number of passes of a generation that have been played to their end. Thread: any.
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

  /// Samples per channel that the ring holds. Thread: audio, between ticks.
  public var heldSampleCount: Int { state.pointer.pointee.waitingSamples() }

  /// Returns the number of ticks of `count` samples that the player can render without missing any, unless a command
  /// intervenes. Thread: audio, between ticks.
  public func readyTicks(of count: Int) -> Int { state.pointer.pointee.readyTicks(of: count) }

  /// Position of the graph behind the last sample, past or to come; nil if not known yet. Thread: audio, between ticks.
  public var endPosition: Int? { state.pointer.pointee.endPosition() }

  /// Whether the player plays, fades or has a command to do so. Thread: audio, between ticks.
  public var isActive: Bool { state.pointer.pointee.isActive() }
}

@_noLocks
private func renderPlayer(_ context: UnsafeMutableRawPointer, _ state: UnsafeMutableRawPointer) {
  state.assumingMemoryBound(to: PlayerState.self).pointee.render(RenderContext(context))
}
