# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# Sourced by test-servers: a Kerberos realm of its own, and Apache httpd with mod_auth_gssapi as a server and a proxy of that realm.
#
# MIT Kerberos is taken from the system where all of it is installed. Elsewhere Debian's packages are unpacked into the state folder, not
# installed: they would bring services and configuration files that nobody asked for, and need root. What can be had in neither way is left
# out, and the tests that need it are skipped.

# shellcheck disable=SC2154 # state, short, templates, logs, password come from the sourcing script
kerberos=$state/kerberos
realm=OPENMOYA.TEST

# Sets `kerberos_root`, the folder that the packages were unpacked into, or nothing for the system's own.
find_kerberos() {
    local command
    find_apache
    kerberos_root=""
    if [ -n "$(apache_module mod_auth_gssapi)" ]; then
        for command in krb5kdc kdb5_util kadmin.local kinit klist; do
            has_command "$command" || break
        done
        if has_command "$command"; then return 0; fi
    fi
    kerberos_root=$kerberos/packages
    [ ! -f "$kerberos_root/complete" ] || return 0
    # Once a start is enough.
    [ ! -f "$kerberos/cannot_be_had" ] || return 1
    mkdir -p "$kerberos"
    unpack_kerberos || {
        : >"$kerberos/cannot_be_had"
        return 1
    }
}

# The file of an Apache module, or nothing.
apache_module() {
    local folder
    for folder in ${kerberos_root:+"$kerberos_root/usr/lib/apache2/modules"} "$apache_modules"; do
        if [ -f "$folder/$1.so" ]; then
            echo "$folder/$1.so"
            return 0
        fi
    done
}

unpack_kerberos() {
    if ! has_command apt-get || ! has_command dpkg-deb; then
        say "Kerberos is not installed (a KDC, kadmin.local, kinit and Apache's mod_auth_gssapi)"
        return 1
    fi
    say "unpacking Kerberos into ${kerberos_root#"$project/"}"
    # A list of packages that is old, or not there at all, names files that cannot be fetched.
    if ! unpack_packages >"$logs/kerberos.log" 2>&1; then
        apt_get update >>"$logs/kerberos.log" 2>&1 || true
        if ! unpack_packages >>"$logs/kerberos.log" 2>&1; then
            tail -n 5 "$logs/kerberos.log" >&2
            say "could not fetch Kerberos; the end of what apt-get said is above"
            return 1
        fi
    fi
}

# What installing would bring, as far as it belongs to Kerberos, so that it fits this system's libraries whatever its release.
unpack_packages() (
    rm -rf "$kerberos_root"
    mkdir -p "$kerberos_root/files" && cd "$kerberos_root/files" || exit 1
    names=$(apt-get --simulate install --no-install-recommends krb5-kdc krb5-admin-server krb5-user libapache2-mod-auth-gssapi |
        sed -n 's/^Inst \([^ ]*\).*/\1/p' |
        grep -E '^(krb5-(kdc|admin-server|user)|lib(gss|k5|kadm5|kdb5|krb5|ss2|ev|verto).*|libapache2-mod-auth-gssapi)$') || exit 1
    # shellcheck disable=SC2086 # several names
    apt-get -qq -o Acquire::Retries=3 download $names || exit 1
    for file in *.deb; do dpkg-deb --extract "$file" "$kerberos_root" || exit 1; done
    rm -rf "$kerberos_root/files"
    [ -x "$kerberos_root/usr/sbin/krb5kdc" ] || exit 1
    : >"$kerberos_root/complete"
)

# Has the commands of Kerberos found, with their libraries, and the realm's configuration.
export_kerberos() {
    export KRB5_CONFIG=$kerberos/krb5.conf KRB5_KDC_PROFILE=$kerberos/kdc.conf KRB5CCNAME=FILE:$kerberos/no_tickets
    [ -n "$kerberos_root" ] || return 0
    PATH=$kerberos_root/usr/sbin:$kerberos_root/usr/bin:$PATH
    LD_LIBRARY_PATH=$kerberos_libraries:$kerberos_root/lib/$(basename "$kerberos_libraries")
    export LD_LIBRARY_PATH
}

start_kdc() {
    local plugins="" database_plugins=""
    find_kerberos || return 1
    mkdir -p "$kerberos"
    if [ -n "$kerberos_root" ]; then
        kerberos_libraries=$(dirname "$(find "$kerberos_root/usr/lib" -name 'libkdb5.so.*' | head -n 1)")
        plugins="plugin_base_dir = $kerberos_libraries/krb5/plugins"
        database_plugins="db_module_dir = $kerberos_libraries/krb5/plugins/kdb"
    fi
    free_port
    render "$templates/kerberos/krb5.conf" "$kerberos/krb5.conf" "port=$free" "folder=$kerberos" "plugins=$plugins" \
        "database_plugins=$database_plugins"
    render "$templates/kerberos/kdc.conf" "$kerberos/kdc.conf" "port=$free" "folder=$kerberos"
    export_kerberos
    if ! make_principals >"$logs/principals.log" 2>&1; then
        tail -n 10 "$logs/principals.log" >&2
        return 1
    fi
    launch kdc krb5kdc -n -r "$realm" -P "$kerberos/kdc.pid"
    wait_for kdc "$free" || return 1
    if ! get_tickets >"$logs/tickets.log" 2>&1; then
        tail -n 10 "$logs/tickets.log" >&2
        return 1
    fi
}

make_principals() {
    rm -f "$kerberos"/principals* "$kerberos/stash" "$kerberos/http.keytab"
    kdb5_util create -s -r "$realm" -P "$(openssl rand -hex 16)" || return 1
    kadmin.local -r "$realm" -q "addprinc -pw $password $user" &&
        kadmin.local -r "$realm" -q "addprinc -randkey HTTP/localhost" &&
        kadmin.local -r "$realm" -q "ktadd -k $kerberos/http.keytab HTTP/localhost" &&
        [ -f "$kerberos/http.keytab" ]
}

# One cache with a ticket that lasts, and one whose ticket has ended.
get_tickets() {
    local tries=0
    rm -f "$kerberos/tickets" "$kerberos/expired_tickets"
    kinit -l 1s -c "FILE:$kerberos/expired_tickets" "$user" <<<"$password" || return 1
    kinit -l 365d -c "FILE:$kerberos/tickets" "$user" <<<"$password" || return 1
    while klist -s -c "FILE:$kerberos/expired_tickets"; do
        tries=$((tries + 1))
        [ "$tries" -lt 100 ] || return 1
        sleep 0.05
    done
}

start_kerberos() {
    local folder=$short/kerberos port
    find_kerberos || return 1
    [ -f "$kerberos/http.keytab" ] || return 1
    mkdir -p "$folder"
    make_documents "$folder/documents"
    cp "$kerberos/http.keytab" "$kerberos/krb5.conf" "$folder/"
    chmod -R a+rX "$folder"
    free_port
    port=$free
    free_port
    render "$templates/kerberos/httpd.conf" "$kerberos/httpd.conf" "port=$port" "proxy_port=$free" "folder=$folder" \
        "modules=$apache_modules" "gssapi_module=$(apache_module mod_auth_gssapi)" "extra_modules=$apache_extra" "user=$apache_user" \
        "group=$apache_group"
    # Apache's workers keep what was used already here, since the same token never comes twice in earnest.
    KRB5_CONFIG=$folder/krb5.conf KRB5RCACHENAME=none: launch kerberos "$(apache_command)" -f "$kerberos/httpd.conf" -D FOREGROUND
    wait_for kerberos "$port" "$free" || return 1
    record KERBEROS_URL "http://localhost:$port"
    record KERBEROS_PROXY_URL "http://localhost:$free"
    record KERBEROS_PRINCIPAL "$user@$realm"
    record KERBEROS_CONFIGURATION_FILE "$kerberos/krb5.conf"
    record KERBEROS_TICKETS_FILE "$kerberos/tickets"
    record KERBEROS_EXPIRED_TICKETS_FILE "$kerberos/expired_tickets"
}
