# SPDX-License-Identifier: MIT
"""An authorization server, and an API that takes its tokens, made with Authlib; everything is kept in memory.

Clients are `public` (no secret; loopback redirects on any port), `basic` and `post` (by how they send the secret, which is `secret`); all
may use every grant. The one account is that of the other test servers. Refresh tokens are good for one time: a second use takes back every
token that came of the same log-in. Some scopes make a device's log-in behave: `slow` answers slow_down once, `expired` lets the code be over.
"""

import html
import os
import secrets
import threading
import time
from urllib.parse import urlsplit

from authlib.integrations.flask_oauth2 import AuthorizationServer, ResourceProtector, current_token
from authlib.oauth2 import OAuth2Error, rfc6749, rfc6750, rfc7009, rfc7636, rfc8628, rfc9207
from authlib.oauth2.rfc6749 import grants
from flask import Flask, Response, jsonify, request

METHODS = {"public": "none", "basic": "client_secret_basic", "post": "client_secret_post"}
SECRET = "secret"
SCOPES = {"read", "write", "slow", "expired"}
LIFETIME = 3600

app = Flask(__name__)
app.secret_key = secrets.token_bytes(16)
lock = threading.RLock()
codes, devices, tokens = {}, {}, []


class Client(rfc6749.ClientMixin):
    def __init__(self, identifier):
        self.identifier = identifier

    def get_client_id(self):
        return self.identifier

    def get_default_redirect_uri(self):
        return None

    def get_allowed_scope(self, scope):
        return " ".join(word for word in (scope or "").split() if word in SCOPES)

    def check_redirect_uri(self, uri):
        # Any port of loopback (RFC 8252, 7.3).
        parts = urlsplit(uri)
        return parts.scheme == "http" and parts.hostname == "127.0.0.1" and parts.path == "/callback"

    def check_client_secret(self, secret):
        return secrets.compare_digest(secret, SECRET)

    def check_endpoint_auth_method(self, method, endpoint):
        return method == METHODS[self.identifier]

    def check_response_type(self, response_type):
        return response_type == "code"

    def check_grant_type(self, grant_type):
        return True


class Record:
    """What was written down under names."""

    def __init__(self, **values):
        self.__dict__.update(values)


class Code(Record):
    def get_redirect_uri(self):
        return self.redirect_uri

    def get_scope(self):
        return self.scope


class Token(Record, rfc6749.TokenMixin):
    def check_client(self, client):
        return self.client_id == client.get_client_id()

    def get_scope(self):
        return self.scope

    def get_expires_in(self):
        return LIFETIME

    def is_expired(self):
        return self.end <= time.time()

    def is_revoked(self):
        return self.revoked

    def get_user(self):
        return self.user

    def get_client(self):
        return Client(self.client_id)


class Device(Record):
    def get_client_id(self):
        return self.client_id

    def get_scope(self):
        return self.scope

    def get_user_code(self):
        return self.user_code

    def is_expired(self):
        return "expired" in self.scope.split()


def query_client(identifier):
    return Client(identifier) if identifier in METHODS else None


def save_token(token, message):
    old = getattr(message, "refresh_token", None)
    with lock:
        tokens.append(
            Token(
                access_token=token["access_token"],
                refresh_token=token.get("refresh_token"),
                scope=token.get("scope", ""),
                client_id=message.client.get_client_id(),
                user=message.user or message.client.get_client_id(),
                end=time.time() + LIFETIME,
                revoked=False,
                used=False,
                family=old.family if isinstance(old, Token) else secrets.token_hex(8),
            )
        )


def find(kind, value):
    with lock:
        return next((token for token in tokens if value and getattr(token, kind) == value), None)


class ClientCredentialsGrant(grants.ClientCredentialsGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ["client_secret_basic", "client_secret_post"]


class AuthorizationCodeGrant(grants.AuthorizationCodeGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = list(METHODS.values())

    def save_authorization_code(self, code, message):
        data = message.payload.data
        with lock:
            codes[code] = Code(
                code=code,
                client_id=message.client.get_client_id(),
                redirect_uri=message.payload.redirect_uri,
                scope=message.payload.scope or "",
                user=message.user,
                code_challenge=data.get("code_challenge"),
                code_challenge_method=data.get("code_challenge_method"),
            )

    def query_authorization_code(self, code, client):
        with lock:
            found = codes.get(code)
        return found if found and found.client_id == client.get_client_id() else None

    def delete_authorization_code(self, code):
        with lock:
            codes.pop(code.code, None)

    def authenticate_user(self, code):
        return code.user


class RefreshTokenGrant(grants.RefreshTokenGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = list(METHODS.values())
    INCLUDE_NEW_REFRESH_TOKEN = True

    def authenticate_refresh_token(self, value):
        with lock:
            token = find("refresh_token", value)
            if token is None or token.revoked:
                return None
            if token.used:
                # Somebody has a copy (RFC 9700, 4.14.2).
                for relative in tokens:
                    if relative.family == token.family:
                        relative.revoked = True
                return None
            token.used = True
            return token

    def authenticate_user(self, token):
        return token.user

    def revoke_old_credential(self, token):
        pass


class DeviceCodeGrant(rfc8628.DeviceCodeGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = list(METHODS.values())

    def query_device_credential(self, code):
        with lock:
            return devices.get(code)

    def query_user_grant(self, user_code):
        with lock:
            device = next(device for device in devices.values() if device.user_code == user_code)
            return None if device.decision is None else (app.config["USER"], device.decision)

    def should_slow_down(self, device):
        with lock:
            device.polls += 1
            return device.polls == 1 and "slow" in device.scope.split()


class DeviceAuthorizationEndpoint(rfc8628.DeviceAuthorizationEndpoint):
    def get_verification_uri(self):
        return issuer() + "/device"

    def save_device_credential(self, client_id, scope, data):
        with lock:
            devices[data["device_code"]] = Device(
                client_id=client_id, scope=scope or "", user_code=data["user_code"], decision=None, polls=0
            )


class RevocationEndpoint(rfc7009.RevocationEndpoint):
    CLIENT_AUTH_METHODS = list(METHODS.values())

    def query_token(self, value, hint):
        return find("refresh_token", value) or find("access_token", value)

    def revoke_token(self, token, message):
        with lock:
            for relative in tokens:
                if relative.family == token.family:
                    relative.revoked = True


class Issuer(rfc9207.IssuerParameter):
    def get_issuer(self):
        return issuer()


class Validator(rfc6750.BearerTokenValidator):
    def authenticate_token(self, value):
        return find("access_token", value)


app.config["USER"] = os.environ["OAUTH_USER"]
app.config["PASSWORD"] = os.environ["OAUTH_PASSWORD"]
app.config["OAUTH2_REFRESH_TOKEN_GENERATOR"] = True
app.config["OAUTH2_SCOPES_SUPPORTED"] = sorted(SCOPES)
app.config["OAUTH2_TOKEN_EXPIRES_IN"] = dict.fromkeys(
    ["authorization_code", "client_credentials", "refresh_token", DeviceCodeGrant.GRANT_TYPE], LIFETIME
)
server = AuthorizationServer(app, query_client=query_client, save_token=save_token)
server.scopes_supported = sorted(SCOPES)
server.register_grant(AuthorizationCodeGrant, [rfc7636.CodeChallenge(required=True)])
server.register_grant(ClientCredentialsGrant)
server.register_grant(RefreshTokenGrant)
server.register_grant(DeviceCodeGrant)
server.register_endpoint(DeviceAuthorizationEndpoint)
server.register_endpoint(RevocationEndpoint)
server.register_extension(Issuer())
protect = ResourceProtector()
protect.register_token_validator(Validator())


def issuer():
    return request.host_url.rstrip("/")


def page(title, content):
    return Response(
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title><h1>{title}</h1>{content}</html>',
        content_type="text/html; charset=utf-8",
    )


@app.get("/.well-known/oauth-authorization-server")
def metadata():
    base = issuer()
    return jsonify(
        issuer=base,
        authorization_endpoint=base + "/authorize",
        token_endpoint=base + "/token",
        device_authorization_endpoint=base + "/device_authorization",
        revocation_endpoint=base + "/revoke",
        response_types_supported=["code"],
        code_challenge_methods_supported=["S256"],
        token_endpoint_auth_methods_supported=sorted(METHODS.values()),
        scopes_supported=sorted(SCOPES),
        authorization_response_iss_parameter_supported=True,
    )


@app.route("/authorize", methods=["GET", "POST"])
def authorize():
    try:
        grant = server.get_consent_grant(end_user=None)
    except OAuth2Error as error:
        return page("The log-in cannot begin", f"<p>{html.escape(str(error))}</p>")
    if request.method == "GET":
        return page(
            "Log in",
            f'<form method="post"><p>{html.escape(grant.client.get_client_id())} asks for '
            f"{html.escape(grant.request.payload.scope or 'nothing in particular')}.</p>"
            '<p><label>Name <input name="user" id="user"></label></p>'
            '<p><label>Password <input name="password" id="password" type="password"></label></p>'
            '<p><button name="decision" value="allow" id="allow">Allow</button>'
            '<button name="decision" value="deny" id="deny">Deny</button></p></form>',
        )
    if request.form.get("decision") == "deny":
        return server.create_authorization_response(grant=grant, grant_user=None)
    if (request.form.get("user"), request.form.get("password")) != (app.config["USER"], app.config["PASSWORD"]):
        return page("Wrong name or password", "<p>Go back and try again.</p>"), 403
    return server.create_authorization_response(grant=grant, grant_user=app.config["USER"])


@app.post("/token")
def token():
    return server.create_token_response()


@app.post("/device_authorization")
def device_authorization():
    return server.create_endpoint_response("device_authorization")


@app.post("/device")
def device():
    """What the person does on another device: user_code, and decision=allow or deny."""
    with lock:
        for found in devices.values():
            if found.user_code == request.form.get("user_code"):
                found.decision = request.form.get("decision") == "allow"
                return jsonify(ok=True)
    return jsonify(ok=False), 404


@app.post("/revoke")
def revoke():
    return server.create_endpoint_response("revocation")


@app.post("/expire")
def expire():
    """Lets an access token (token) be over."""
    found = find("access_token", request.form.get("token"))
    if found is None:
        return jsonify(ok=False), 404
    with lock:
        found.end = 0
    return jsonify(ok=True)


@app.get("/resource")
@protect()
def resource():
    return jsonify(user=current_token.user, scope=current_token.scope)
