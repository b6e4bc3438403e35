import AudioGraph
import Resampling

/// Shows frames to an observer on the audio thread and changes nothing: a sink beside the path.
final class ReadOnlyObserverNode: ObserverNode {
  let inputs: [InputPort]
  let outputs: [OutputPort] = []
  let observationDelay: Int
  private let state: RenderState<ReadOnlyObserverState>
  private let target: ObserverTarget

  init(format: AudioFormat, params: AudioParams?, target: ObserverTarget) throws(ResamplingError) {
    inputs = [InputPort(channelCount: format.channelCount)]
    self.target = target
    let delivery = try FrameDelivery(format: format, params: params, target: target, quality: .lowCost)
    observationDelay = delivery.delay
    state = RenderState(
      ReadOnlyObserverState(
        isWanted: ObserverSwitch(target.call, position: target.source.position), delivery: delivery))
  }

  var renderer: Renderer { Renderer(renderReadOnlyObserver, state) }
}

private struct ReadOnlyObserverState: ~Copyable {
  private let isWanted: ObserverSwitch
  private var delivery: FrameDelivery

  init(isWanted: ObserverSwitch, delivery: consuming FrameDelivery) {
    self.isWanted = isWanted
    self.delivery = delivery
  }

  @_noLocks
  mutating func render(_ context: RenderContext) {
    guard isWanted.isOn() else { return }
    delivery.deliver(context.input(0), tick: context.tick.index)
  }
}

@_noLocks
private func renderReadOnlyObserver(_ context: UnsafeMutableRawPointer, _ state: UnsafeMutableRawPointer) {
  state.assumingMemoryBound(to: ReadOnlyObserverState.self).pointee.render(RenderContext(context))
}
