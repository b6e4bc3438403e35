import AudioGraph
import Resampling

/// Lets an observer change frames in the pipeline's own format, in place and without delay.
final class ReadWriteObserverNode: ObserverNode {
  let inputs: [InputPort]
  let outputs: [OutputPort]
  let observationDelay = 0
  private let state: RenderState<ReadWriteObserverState>
  private let target: ObserverTarget

  init(format: AudioFormat, target: ObserverTarget) {
    inputs = [InputPort(channelCount: format.channelCount)]
    outputs = [OutputPort(channelCount: format.channelCount)]
    self.target = target
    state = RenderState(ReadWriteObserverState(format: format, target: target))
  }

  var renderer: Renderer { Renderer(renderReadWriteObserver, state) }
}

private struct ReadWriteObserverState: ~Copyable {
  private let isWanted: ObserverSwitch
  private let target: Unmanaged<ObserverTarget>
  private let block: UnsafeMutablePointer<ObservedBlock>
  private let scratch: UnsafeMutablePointer<Int16>
  private var mute: MuteEnvelope
  private var calls = 0
  private var time = 0

  init(format: AudioFormat, target: ObserverTarget) {
    mute = MuteEnvelope(sampleRate: format.sampleRate)
    isWanted = ObserverSwitch(target.call, position: target.source.position)
    self.target = .passUnretained(target)
    let room = FrameSchedule(sampleRate: format.sampleRate).maximumSamplesPerChannel * format.channelCount
    scratch = .allocate(capacity: room)
    scratch.initialize(repeating: 0, count: room)
    block = .allocate(capacity: 1)
    block.initialize(
      to: ObservedBlock(
        header: FrameHeader(samplePosition: 0, samplesPerChannel: 0), sampleRate: format.sampleRate,
        channelCount: format.channelCount, interleaved: nil, native: nil, scratch: scratch, isWritable: true))
  }

  deinit {
    block.deallocate()
    scratch.deallocate()
  }

  @_noLocks
  mutating func render(_ input: Frame, _ output: Frame) {
    output.copy(from: input)
    block.pointee.isMuted = false
    if isWanted.isOn() { show(output) }
    mute.wish(block.pointee.isMuted, at: time)
    mute.apply(to: output, at: time)
    time &+= output.samplesPerChannel
  }

  @_noLocks
  private mutating func show(_ frame: Frame) {
    block.pointee.header = frame.header.pointee
    block.pointee.header.sequenceNumber = calls
    block.pointee.native = frame
    block.pointee.isConverted = false
    block.pointee.isInt16Touched = false
    block.pointee.arePlanesTouched = false
    calls &+= 1
    deliver(block, to: target)
    if block.pointee.isInt16Touched || block.pointee.arePlanesTouched { frame.header.pointee.isSilent = false }
    if block.pointee.arePlanesTouched { frame.removeNonFiniteSamples() }
    guard block.pointee.isInt16Touched else { return }
    Interleaving.deinterleaveChanges(scratch, frame)
  }
}

@_noLocks
private func renderReadWriteObserver(_ context: UnsafeMutableRawPointer, _ state: UnsafeMutableRawPointer) {
  let context = RenderContext(context)
  state.assumingMemoryBound(to: ReadWriteObserverState.self).pointee.render(context.input(0), context.output(0))
}
