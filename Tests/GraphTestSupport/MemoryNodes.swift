package import AudioGraph

/// Plays samples from memory; silence after their end.
package final class MemorySource: AudioNode {
  package let inputs: [InputPort] = []
  package let outputs: [OutputPort]
  private let state: RenderState<PlaneMemory>

  package init(_ channels: [[Float]]) {
    outputs = [OutputPort(channelCount: channels.count)]
    state = RenderState(PlaneMemory(channels))
  }

  package var renderer: Renderer { Renderer(renderSource, state) }
}

/// Keeps every sample and the header of every frame that it gets.
package final class MemorySink: AudioNode {
  package let inputs: [InputPort]
  package let outputs: [OutputPort] = []
  private let state: RenderState<PlaneMemory>

  package init(channelCount: Int, capacity: Int) {
    inputs = [InputPort(channelCount: channelCount)]
    state = RenderState(
      PlaneMemory((0..<channelCount).map { _ in Array(repeating: 0, count: capacity) }))
  }

  package var renderer: Renderer { Renderer(renderSink, state) }
  package var channels: [[Float]] { state.pointer.pointee.channels }
  package var headers: [FrameHeader] { state.pointer.pointee.seenHeaders }
}

struct PlaneMemory: ~Copyable {
  let planes: UnsafeMutablePointer<Float>
  let headers: UnsafeMutablePointer<FrameHeader>
  let channelCount: Int
  let length: Int
  var position = 0
  var frameCount = 0

  init(_ channels: [[Float]]) {
    channelCount = channels.count
    length = channels.first?.count ?? 0
    planes = .allocate(capacity: max(1, channelCount * length))
    headers = .allocate(capacity: length + 1)
    for (index, channel) in channels.enumerated() {
      precondition(channel.count == length, "channels differ in length")
      (planes + index * length).initialize(from: channel, count: length)
    }
  }

  deinit {
    planes.deallocate()
    headers.deallocate()
  }

  var channels: [[Float]] {
    (0..<channelCount).map { Array(UnsafeBufferPointer(start: planes + $0 * length, count: min(position, length))) }
  }

  var seenHeaders: [FrameHeader] { Array(UnsafeBufferPointer(start: headers, count: frameCount)) }
}

@_noLocks
private func renderSource(_ context: UnsafeMutableRawPointer, _ state: UnsafeMutableRawPointer) {
  let output = RenderContext(context).output(0)
  let memory = state.assumingMemoryBound(to: PlaneMemory.self)
  let count = output.samplesPerChannel
  for channel in 0..<output.channelCount {
    let plane = memory.pointee.planes + channel &* memory.pointee.length
    for index in 0..<count {
      let position = memory.pointee.position &+ index
      output.channel(channel)[index] = position < memory.pointee.length ? plane[position] : 0
    }
  }
  memory.pointee.position = memory.pointee.position &+ count
}

@_noLocks
private func renderSink(_ context: UnsafeMutableRawPointer, _ state: UnsafeMutableRawPointer) {
  let input = RenderContext(context).input(0)
  let memory = state.assumingMemoryBound(to: PlaneMemory.self)
  let count = input.samplesPerChannel
  precondition(memory.pointee.position &+ count <= memory.pointee.length, "the sink is full")
  for channel in 0..<input.channelCount {
    copySamples(
      from: input.channel(channel),
      to: memory.pointee.planes + (channel &* memory.pointee.length &+ memory.pointee.position), count: count)
  }
  memory.pointee.headers[memory.pointee.frameCount] = input.header.pointee
  memory.pointee.frameCount = memory.pointee.frameCount &+ 1
  memory.pointee.position = memory.pointee.position &+ count
}
