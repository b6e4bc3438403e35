import NetworkIO
import Platform

let subprotocol = "audiopipe.v1"

/// A server at a port of this machine that the system chooses.
func makeServer(
  at addresses: [String] = ["127.0.0.1:0"], tls: TLSFiles? = nil, limits: WebSocketLimits = WebSocketLimits(),
  onRequest: @escaping @Sendable (String) -> HTTPAnswer? = { _ in nil }
) throws -> WebSocketServer {
  try WebSocketServer(
    at: try addresses.map { try SocketAddress($0) }, subprotocol: subprotocol, tls: tls, limits: limits,
    onRequest: onRequest)
}

extension WebSocketServer {
  func url(host: String = "127.0.0.1", scheme: String = "ws", path: String = "/") throws -> WebSocketURL {
    try WebSocketURL("\(scheme)://\(host):\(localAddresses[0].port)\(path)")
  }
}

func makeClient(
  _ url: WebSocketURL, verification: TLSVerification = .systemRoots, limits: WebSocketLimits = WebSocketLimits()
) throws -> WebSocketClient {
  try WebSocketClient(url: url, subprotocol: subprotocol, verification: verification, limits: limits)
}
