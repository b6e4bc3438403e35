/// The end of a path without a listener.
public final class NullSinkNode: AudioNode {
  public let inputs: [InputPort]
  public let outputs: [OutputPort] = []
  private let state = RenderState<Void>(())

  /// Creates a sink for frames of `channelCount` channels.
  public convenience init(channelCount: Int) { self.init(channelCounts: channelCount...channelCount) }

  /// Creates a sink for frames of any of `channelCounts`.
  public init(channelCounts: ClosedRange<Int>) { inputs = [InputPort(channelCounts: channelCounts)] }

  public var renderer: Renderer { Renderer(renderNothing, state) }
}

@_noLocks
private func renderNothing(_ context: UnsafeMutableRawPointer, _ state: UnsafeMutableRawPointer) {}
