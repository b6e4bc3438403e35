public import Platform
public import Signalling

/// Broker, user and credentials of an `MQTTSignalClient`.
public struct MQTTSignalOptions: Sendable {
  /// Allowed times between two packets of an idle connection.
  public static let keepAliveRange: ClosedRange<Duration> = .seconds(5)...(.seconds(65_535))

  /// Broker's URL, such as `mqtts://broker.example:8883`.
  public var brokerURL: String { broker.description }
  /// App of the user's calls.
  public let appID: AppID
  /// User that sends and receives.
  public let userID: UInt32
  /// Name of the user at the broker. The ACL of `Deploy/mosquitto` expects the decimal uid.
  public let userName: String
  /// Password of the user at the broker; nil for none.
  public let password: SecretText?
  /// Rule for the broker's certificate; without meaning for `mqtt`.
  public let verification: MQTTVerification
  /// Whole seconds between two packets of an idle connection. A lost broker is noticed after twice this time.
  public let keepAlive: Duration

  let broker: BrokerURL

  /// Checks the options. Nothing is read or connected yet.
  ///
  /// - Parameters:
  ///   - broker: `mqtts://HOST:PORT` for TLS, or `mqtt://HOST:PORT`; without a port 8883 or 1883.
  ///   - appID: App, by the rule of `AppID`; `+` and `#` are wildcards of MQTT, and not allowed.
  ///   - userID: User, 1...4294967295.
  ///   - userName: Name at the broker; nil for the decimal uid.
  ///   - password: Password at the broker; nil for none.
  ///   - verification: Rule for the broker's certificate.
  ///   - keepAlive: A time in `keepAliveRange`, rounded down to seconds.
  /// - Throws: An `EngineError` of the code `invalidArgument` with a sentence to show.
  public init(
    broker: String, appID: String, userID: UInt32, userName: String? = nil, password: String? = nil,
    verification: MQTTVerification = .systemRoots, keepAlive: Duration = .seconds(15)
  ) throws(EngineError) {
    self.broker = try BrokerURL(broker)
    guard let app = AppID(appID) else {
      throw EngineError(
        .invalidArgument, "app ID of calls over MQTT: \(AppID.fault(in: appID)); use \(AppID.rule)")
    }
    guard !appID.utf8.contains(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "#") }) else {
      throw EngineError(
        .invalidArgument,
        "app ID '\(appID)' of calls over MQTT has '+' or '#', which are wildcards there; use another ID")
    }
    guard userID > 0 else {
      throw EngineError(.invalidArgument, "user ID of calls over MQTT is 0; use 1 to 4294967295")
    }
    guard Self.keepAliveRange.contains(keepAlive) else {
      throw EngineError(.invalidArgument, "keepAlive of calls over MQTT is \(keepAlive); use 5 to 65535 seconds")
    }
    let name = userName ?? String(userID)
    guard (1...256).contains(name.utf8.count), !name.utf8.contains(0), password?.utf8.contains(0) != true else {
      throw EngineError(
        .invalidArgument,
        "user name or password of user \(userID) at \(self.broker): the name needs 1 to 256 bytes, and neither may have NUL"
      )
    }
    self.appID = app
    self.userID = userID
    self.userName = name
    self.password = password.map { SecretText($0) }
    self.verification = verification
    self.keepAlive = .seconds(keepAlive.components.seconds)
  }
}
