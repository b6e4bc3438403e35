import AudioGraph
import Synchronization

/// A source that plays samples given at init, and silence behind them.
///
/// Every third frame is concealed and every frame has an RTP timestamp, its first sample's position.
final class PlayerNode: AudioNode {
  let inputs: [InputPort] = []
  let outputs: [OutputPort]
  private let state: RenderState<PlayerState>

  init(_ planes: [[Float]]) {
    outputs = [OutputPort(channelCount: planes.count)]
    state = RenderState(PlayerState(planes))
  }

  var renderer: Renderer { Renderer(renderPlayer, state) }

  /// What is added to the position of every frame from the next one on.
  var positionOffset: Int {
    get { state.pointer.pointee.offset.load(ordering: .relaxed) }
    set { state.pointer.pointee.offset.store(newValue, ordering: .relaxed) }
  }
}

private struct PlayerState: ~Copyable {
  let offset = Atomic<Int>(0)
  private let samples: UnsafeMutablePointer<Float>
  private let count: Int
  private var played = 0

  init(_ planes: [[Float]]) {
    count = planes[0].count
    samples = .allocate(capacity: max(1, count * planes.count))
    for (index, plane) in planes.enumerated() {
      precondition(plane.count == count, "planes differ in length")
      (samples + index * count).initialize(from: plane, count: count)
    }
  }

  deinit { samples.deallocate() }

  @_noLocks
  mutating func render(_ context: RenderContext) {
    let output = context.output(0)
    let length = output.samplesPerChannel
    output.header.pointee.samplePosition = played &+ offset.load(ordering: .relaxed)
    output.header.pointee.rtpTimestamp = UInt32(truncatingIfNeeded: played)
    output.header.pointee.provenance = context.tick.index % 3 == 2 ? .concealed : .decoded
    let known = max(0, min(length, count &- played))
    for channel in 0..<output.channelCount {
      let plane = output.channel(channel)
      copySamples(from: samples + (channel &* count &+ (known > 0 ? played : 0)), to: plane, count: known)
      for index in known..<length { plane[index] = 0 }
    }
    played &+= length
  }
}

@_noLocks
private func renderPlayer(_ context: UnsafeMutableRawPointer, _ state: UnsafeMutableRawPointer) {
  state.assumingMemoryBound(to: PlayerState.self).pointee.render(RenderContext(context))
}
