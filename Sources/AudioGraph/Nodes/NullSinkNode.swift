/// The end of a path that nobody listens to.
public final class NullSinkNode: AudioNode {
  public let inputs: [InputPort]
  public let outputs: [OutputPort] = []
  private let state = RenderState<Void>(())

  /// A sink for frames of `channelCount` channels.
  public init(channelCount: Int) { inputs = [InputPort(channelCount: channelCount)] }

  public var renderer: Renderer { Renderer(renderNothing, state) }
}

@_noLocks
private func renderNothing(_ context: UnsafeMutableRawPointer, _ state: UnsafeMutableRawPointer) {}
