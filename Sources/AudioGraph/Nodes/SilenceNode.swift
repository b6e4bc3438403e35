/// The beginning of a path without sound.
public final class SilenceNode: AudioNode {
  public let inputs: [InputPort] = []
  public let outputs: [OutputPort]
  private let state = RenderState<Void>(())

  /// Creates a source of silent frames of `channelCount` channels.
  public init(channelCount: Int) { outputs = [OutputPort(channelCount: channelCount)] }

  public var renderer: Renderer { Renderer(renderSilence, state) }
}

@_noLocks
private func renderSilence(_ context: UnsafeMutableRawPointer, _ state: UnsafeMutableRawPointer) {
  RenderContext(context).output(0).silence()
}
