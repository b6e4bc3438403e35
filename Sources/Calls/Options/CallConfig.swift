/// Parts that calls are made with.
public struct CallConfig: Sendable {
  /// App of the calls; nil: that of the engine.
  public var appID: String?
  /// The local user: the uid of its room and of its signalling.
  public var userID: UInt32
  /// Engine that joins the rooms. Its main channel stays the application's.
  public var engine: RtcEngine
  /// Carrier of the messages.
  public var signalClient: any SignalClient

  /// Creates a configuration from its parts.
  public init(appID: String? = nil, userID: UInt32, engine: RtcEngine, signalClient: any SignalClient) {
    self.appID = appID
    self.userID = userID
    self.engine = engine
    self.signalClient = signalClient
  }
}
