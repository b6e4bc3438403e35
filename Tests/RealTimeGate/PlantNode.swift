import AudioGraph
import Glibc

/// Passes frames on, and does what no node may.
final class PlantNode: AudioNode {
  let inputs: [InputPort]
  let outputs: [OutputPort]
  private let state: RenderState<PlantState>

  init(_ plant: Plant, channelCount: Int) {
    inputs = [InputPort(channelCount: channelCount)]
    outputs = [OutputPort(channelCount: channelCount)]
    state = RenderState(PlantState(plant))
  }

  var renderer: Renderer { Renderer(renderPlant, state) }
}

private struct PlantState: ~Copyable {
  let locks: Bool
  let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

  init(_ plant: Plant) {
    locks = plant == .lock
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }
}

/// REALTIME: unbounded on purpose; it is the fault that the gate is tried with.
@_semantics("no_performance_analysis") @inline(never)
private func misbehave(_ mutex: UnsafeMutablePointer<pthread_mutex_t>, locks: Bool) {
  if locks {
    pthread_mutex_lock(mutex)
    pthread_mutex_unlock(mutex)
  } else {
    allocateOnPurpose()
  }
}

@_noLocks
private func renderPlant(_ context: UnsafeMutableRawPointer, _ state: UnsafeMutableRawPointer) {
  let context = RenderContext(context)
  let state = state.assumingMemoryBound(to: PlantState.self)
  misbehave(state.pointee.mutex, locks: state.pointee.locks)
  let (input, output) = (context.input(0), context.output(0))
  if output.header != input.header { output.copy(from: input) }
}
